import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const page = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
const titles = readdirSync(folder)
  .filter((file) => /^v\d+.*\.test\.ts$/.test(file))
  .flatMap((file) => [...readFileSync(folder + file, "utf8").matchAll(/^test\(\s*"((?:[^"\\]|\\.)+)"/gm)])
  .map(([, title = ""]) => title);

test("the page on security names every test of a requirement, and no other", () => {
  const met = page.slice(page.indexOf("## Met"), page.indexOf("## Not met"));
  const rows = [...met.matchAll(/^\| (V[\d.]+) \| (.*?) \| .* \|$/gm)];
  const named = rows.flatMap(([, number, names = ""]) => names.split("<br>").map((name) => `${number} ${name}`));
  expect(titles.length).toBeGreaterThanOrEqual(60);
  expect(named.sort()).toEqual([...titles].sort());
});
