import { expect, test } from "vitest";
import { limits } from "../../../../contract/limits.ts";
import { readAnswer } from "./read-answer.ts";

const range = (optimistic: number, likely: number, pessimistic: number) => ({
  kind: "range",
  points: { optimistic, likely, pessimistic },
});

test.each([
  ["4-16-34", range(4, 16, 34)],
  ["4 16 34", range(4, 16, 34)],
  ["2d-1w", range(16, 28, 40)],
  ["1,5-2,5-3", range(1.5, 2.5, 3)],
  ["8-8-8", range(8, 8, 8)],
  [`0-0-${limits.optionHoursMax}`, range(0, 0, limits.optionHoursMax)],
  [" ? ", { kind: "skip" }],
])("%j is an answer", (text, answer) => {
  expect(readAnswer({ text })).toEqual(answer);
});

test.each([
  ["", "Enter hours such as 4-16-34 or 2d-1w"],
  ["soon", "Enter hours such as 4-16-34 or 2d-1w"],
  ["8", "Enter a range, such as 4-16-34. For 8 h exactly: 8-8-8"],
  ["34-16-40", "Likely can’t be lower than Low"],
  ["4-34-16", "High can’t be lower than Likely"],
  [`1-2-${limits.optionHoursMax + 1}`, "High must be from 0 to 100,000, with at most two decimals"],
])("%j is none, and why is said", (text, why) => {
  expect(readAnswer({ text })).toEqual({ kind: "refused", why });
});

test("what has two readings is asked about", () => {
  expect(readAnswer({ text: "1,250-2,250", isPasted: true })).toEqual({
    kind: "refused",
    why: ["1250-2250", "1.25-2.25"],
  });
});
