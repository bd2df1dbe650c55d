import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { createStructure } from "./structure.ts";

/** Returns what is found in `text` when it arrives in parts of `partBytes`. */
function read(text: string, valuesMax: number, partBytes = text.length || 1) {
  const bytes = Buffer.from(text);
  const structure = createStructure(valuesMax);
  for (let at = 0; at < bytes.length; at += partBytes) {
    const fault = structure.read(bytes.subarray(at, at + partBytes));
    if (fault) return { fault: fault.message, read: at + partBytes, hasEscapes: structure.hasEscapes() };
  }
  return { fault: null, read: bytes.length, hasEscapes: structure.hasEscapes() };
}

/** Counts values as the limit does: containers, and a comma for each further member. */
function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return 1 + Math.max(0, inner.length - 1) + inner.reduce((sum: number, each) => sum + valuesOf(each), 0);
}

describe("the structure of a body", () => {
  test("is counted in its bytes, however they are split, and text is not counted", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 1, max: 9 }), (text, partBytes) => {
        const values = valuesOf(JSON.parse(text));
        expect(read(text, values, partBytes).fault).toBeNull();
        if (values > 0) expect(read(text, values - 1, partBytes).fault).toContain("values");
      }),
    );
  });

  test("is read up to its limit and no further", () => {
    const found = read(`{"nodes":[${"{},".repeat(1_000_000)}{}]}`, 100, 1_000);
    expect(found).toMatchObject({ fault: "must not hold more than 100 values", read: 1_000 });
  });

  test("may nest up to its limit and no deeper", () => {
    const nested = (depth: number) => read('[{"a":'.repeat(depth / 2) + "[".repeat(depth % 2), 1_000).fault;
    expect(nested(limits.bodyDepth)).toBeNull();
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
    for (const partBytes of [1, 2, 100]) expect(read(text, 9, partBytes).hasEscapes).toBe(expected);
  });
});
