import fc from "fast-check";
import { expect, test } from "vitest";
import { placeOn, scaleOf } from "./scale.ts";

test("a scale begins with 0 and has round hours, unless all ranges are far from 0", () => {
  expect(scaleOf([4, 16, 34]).ticks).toEqual([0, 10, 20, 30, 40]);
  expect(scaleOf([100, 104, 130]).ticks).toEqual([100, 110, 120, 130]);
  expect(scaleOf([0.5, 0.75, 2]).ticks).toEqual([0, 0.5, 1, 1.5, 2]);
  expect(scaleOf([]).ticks).toEqual([0, 1]);
  expect(scaleOf([0, 0]).ticks).toEqual([0, 1]);
  expect(scaleOf([8, 8]).ticks).toEqual([0, 10]);
});

test("a scale has room for all hours, and few marks", () => {
  const hours = fc.integer({ min: 0, max: 10_000_000 }).map((hundredths) => hundredths / 100);
  fc.assert(
    fc.property(fc.array(hours, { minLength: 1, maxLength: 30 }), (all) => {
      const scale = scaleOf(all);
      for (const each of all) {
        expect(placeOn(scale, each)).toBeGreaterThanOrEqual(-1e-9);
        expect(placeOn(scale, each)).toBeLessThanOrEqual(1 + 1e-9);
      }
      expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
      expect(scale.ticks.length).toBeLessThanOrEqual(7);
    }),
  );
});
