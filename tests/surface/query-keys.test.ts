import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { keys } from "../../web/src/api/keys.ts";

const sources = fileURLToPath(new URL("../../web/src", import.meta.url));
const made = Object.entries(keys).map(([name, key]) => {
  const make = key as readonly unknown[] | ((...parts: string[]) => readonly unknown[]);
  return [name, typeof make === "function" ? make("id", "part", "rest") : make] as const;
});

/** Returns the keys that a source writes itself: arrays that begin as one of `keys` does, or that are named a key. */
function keysIn(source: string): string[] {
  if (!/"@tanstack\/react-query"|QueryClient/.test(source)) return [];
  const beginnings = new Set(made.map(([, [first]]) => first));
  const begun = [...source.matchAll(/\[\s*"([a-z-]+)"(?=\s*[,\]])/g)].filter(([, first]) => beginnings.has(first));
  return [...begun, ...source.matchAll(/\b(?:query|mutation)Key:\s*\[/g)].map(([found]) => found);
}

test("a key that is written where it is used is found", () => {
  const use = 'import { useQuery } from "@tanstack/react-query";\n';
  expect(keysIn(`${use}useQuery({ queryKey: ["new", id] })`)).toEqual(["queryKey: ["]);
  expect(keysIn(`${use}for (const queryKey of [["tree", id], ["reviews"]]) reload(queryKey)`)).toEqual([
    '["tree"',
    '["reviews"',
  ]);
  expect(keysIn(`${use}useQuery({ queryKey: keys.tree(id) }); const kinds = ["single", "multi"]`)).toEqual([]);
});

test("every key is written in one file", () => {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(300);
  const found = files
    .filter((name) => !name.startsWith(join("api", "keys.")))
    .flatMap((name) => keysIn(readFileSync(join(sources, name), "utf8")).map((key) => `${name}: ${key}`));
  expect(found).toEqual([]);
});

test("no two names are one key", () => {
  const written = made.map(([, key]) => JSON.stringify(key));
  expect(written.filter((key, at) => written.indexOf(key) !== at)).toEqual([]);
});
