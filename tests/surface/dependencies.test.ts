import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { installed, isPermissive, licenceFaults } from "../../scripts/dependencies/page.ts";
import { purposes } from "../../scripts/dependencies/purposes.ts";

test("every package of ours has a purpose, and no other", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(Object.keys(purposes).toSorted()).toEqual(named.toSorted());
});

test("every licence is permissive, but those of tools that are named", () => {
  expect(licenceFaults(installed())).toEqual([]);
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0)", true],
  ["(ISC AND CC-BY-3.0)", true],
  ["(MIT AND GPL-3.0)", false],
  ["AGPL-3.0", false],
  [undefined, false],
])("the licence %s is permissive: %s", (text, permissive) => {
  expect(isPermissive(text)).toBe(permissive);
});

test("a tool's licence is no licence of what runs on a server", () => {
  const lightningcss = { version: "1.0.0", license: "MPL-2.0" };
  expect(licenceFaults(new Map([["node_modules/lightningcss", { ...lightningcss, dev: true }]]))).toEqual([]);
  expect(licenceFaults(new Map([["node_modules/lightningcss", lightningcss]]))).toEqual(["lightningcss: MPL-2.0"]);
});
