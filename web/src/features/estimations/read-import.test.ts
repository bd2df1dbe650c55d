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

test("an outline of elsewhere is read with its decimal sign, one with two readings is refused", () => {
  const read = (text: string) => {
    const outcome = readImport(text);
    return outcome.ok ? [outcome.decimal, outcome.tree.nodes[0]?.options[0]?.hours?.likely] : outcome.faults.length;
  };
  expect(read("# A\n- B\n  - C: 1.5")).toEqual([".", 1.5]);
  expect(read("# A\n- B\n  - C: 1,5")).toEqual([",", 1.5]);
  expect(read("# A\n- B\n  - C: 4")).toEqual([".", 4]);
  for (const text of ["C: 1,250", "C: 1.250", "C: 2 x1,250", "C: 2 x1.250", "C: 1.5\n  - D: 1,5"])
    expect(read(`# A\n- B\n  - ${text}`)).toBe(1);
});
