import { expect, it } from "vitest";
import { traitsOf } from "./index.ts";

it("GitHub receives at most 480 writes an hour by default, and more in the same ratio", () => {
  expect(traitsOf(60).pace).toEqual({ writesPerMinute: 60, writesPerHour: 480 });
  expect(traitsOf(300).pace.writesPerHour).toBe(2_400);
});
