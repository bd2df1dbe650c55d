import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { readStructure } from "./structure.ts";

const read = (text: string, valuesMax: number) => readStructure(Buffer.from(text), valuesMax);

/** Counts values as the limit does: containers, and a comma for each further member. */
function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return 1 + Math.max(0, inner.length - 1) + inner.reduce((sum: number, each) => sum + valuesOf(each), 0);
}

describe("the structure of a body", () => {
  test("is counted from its bytes; the content of strings does not count", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        const values = valuesOf(JSON.parse(text));
        expect(read(text, values).fault).toBeNull();
        if (values > 0) expect(read(text, values - 1).fault?.message).toContain("values");
      }),
    );
  });

  test("is read up to its limit and no further", () => {
    const found = read(`{"nodes":[${"{},".repeat(1_000)}{}],"last":"\\u0061"}`, 100);
    expect(found).toMatchObject({ fault: { message: "must not hold more than 100 values" }, hasEscapes: false });
  });

  test("may be nested up to the limit and no deeper", () => {
    const nested = (depth: number) => read('[{"a":'.repeat(depth / 2) + "[".repeat(depth % 2), 1_000).fault?.message;
    expect(nested(limits.bodyDepth)).toBeUndefined();
    expect(nested(limits.bodyDepth + 1)).toBe(`must not nest deeper than ${limits.bodyDepth} levels`);
    expect(read("[]".repeat(limits.bodyDepth + 1), 1_000).fault).toBeNull();
  });

  test.each([
    ['"\\u0000"', true],
    ['"\\\\u0000"', false],
    ['"a\\"\\u0000"', true],
    ['{"\\u0061":1}', true],
    ['"u\\n"', false],
  ])("%s has an escaped character: %s", (text, expected) => {
    expect(read(text, 9).hasEscapes).toBe(expected);
  });
});
