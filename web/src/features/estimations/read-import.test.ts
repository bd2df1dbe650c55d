import { expect, test } from "vitest";
import { limits } from "../../../../contract/limits.ts";
import { readImport } from "./read-import.ts";

const nested = (depth: number) =>
  `{"format":"estimation","version":1,"estimation":{"title":"Deep"},"tree":{"nodes":${'[{"title":"q","kind":"single","options":[{"title":"o","nodes":'.repeat(depth)}[]${"}]}]".repeat(depth)}}}`;

test("a file that is nested too deeply is refused with a message, however deep it is", () => {
  const messages = (depth: number) => {
    const read = readImport(nested(depth));
    return read.ok ? [] : read.faults.map(({ message }) => message);
  };
  expect(messages(limits.treeDepth)).toEqual([]);
  expect(messages(limits.treeDepth + 1)).toEqual([expect.stringContaining("nested too deeply")]);
  expect(messages(50_000)).not.toEqual([]);
});
