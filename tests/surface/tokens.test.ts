import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../web/src", import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(css|tsx?)$/.test(name));
const TOKENS = "app/styles.css";
/** What declares them: variables, and widths, which cannot be variables. */
const tokens = readFileSync(join(folder, TOKENS), "utf8") + readFileSync(join(folder, "../breakpoints.ts"), "utf8");

const SIZE = /(?:--text-\w+|font-size|fontSize|\bfont):\s*([^;,}]+)|\bfontSize="?([^" }]+)/g;
const RADIUS = /(?:--radius-\w+|border(?:-\w+)*-radius|border\w*Radius): *([^;,}]+)/g;
const WIDTH = /@(?:media|container)([^{]*(?:width|height)[^{]*)/g;

/** Returns the sizes of text, radii and widths that a style writes as numbers. Parts of a circle are shapes, not sizes. */
function literalsIn(style: string): string[] {
  const values = [SIZE, RADIUS, WIDTH].flatMap((pattern) => [...style.matchAll(pattern)]);
  return values
    .map(([, value, other]) => (value ?? other ?? "").trim())
    .filter((value) => /[1-9]/.test(value.replace(/\b50%/g, "")));
}

test("a size of text, a radius or a width that is written as a number is found", () => {
  expect(literalsIn(".a { font-size: 13px; border-radius: 4px 0 0 4px } @media (max-width: 700px) {}")).toEqual([
    "13px",
    "4px 0 0 4px",
    "(max-width: 700px)",
  ]);
  expect(literalsIn("@media (600px <= width) {} @container (height > 3em) {} .a { font: 600 1rem/1 serif }")).toEqual([
    "600 1rem/1 serif",
    "(600px <= width)",
    "(height > 3em)",
  ]);
  expect(literalsIn("style={{ fontSize: 13, borderTopLeftRadius: 4 }}")).toEqual(["13", "4"]);
  const fine = ".a { font: inherit; font-size: var(--text-s); border-radius: 50% } @media (--to-s) {} @media print {}";
  expect(literalsIn(fine)).toEqual([]);
});

test("sizes of text, radii and widths are declared in one file, few of each", () => {
  const found = names
    .filter((name) => name !== TOKENS)
    .flatMap((name) => literalsIn(readFileSync(join(folder, name), "utf8")).map((value) => `${name}: ${value}`));
  expect(found).toEqual([]);
  expect(names.length).toBeGreaterThan(300);
  const declared = (kind: string) => tokens.match(new RegExp(`--${kind}-\\w+(?=:|":)`, "g"))?.length ?? 0;
  expect(declared("text")).toBe(7);
  expect(declared("radius")).toBe(5);
  expect(declared("to")).toBe(4);
});

test("every declared size, radius and width is used, and every used one is declared", () => {
  const used = names.flatMap((name) => [
    ...readFileSync(join(folder, name), "utf8").matchAll(/\(--((?:text|radius|to)-\w+)\)/g),
  ]);
  const declared = [...tokens.matchAll(/--((?:text|radius|to)-\w+)(?=:|":)/g)].map(([, name]) => name);
  expect([...new Set(used.map(([, name]) => name))].toSorted()).toEqual(declared.toSorted());
});
