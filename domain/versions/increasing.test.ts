import fc from "fast-check";
import { expect, it } from "vitest";
import { longestIncreasing } from "./increasing.ts";

it("finds a longest increasing subsequence among other numbers", () => {
  expect(longestIncreasing([])).toEqual([]);
  expect(longestIncreasing([3, 2, 1])).toHaveLength(1);
  expect(longestIncreasing([2, 0, 1, 3])).toEqual([1, 2, 3]);
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 12 }), (values) => {
      const places = longestIncreasing(values);
      const picked = places.map((place) => values[place] as number);
      expect(picked.every((value, index) => index === 0 || value > (picked[index - 1] as number))).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places.length).toBe(longestByTrying(values));
    }),
  );
});

function longestByTrying(values: readonly number[], above = -1): number {
  return values.reduce((best, value, index) => {
    if (value <= above) return best;
    return Math.max(best, 1 + longestByTrying(values.slice(index + 1), value));
  }, 0);
}
