import { expect, test } from "vitest";
import { readLine } from "./read-line.ts";

const hours = (optimistic: number, likely: number, pessimistic: number) => ({
  points: { optimistic, likely, pessimistic },
});

test.each([
  ["Card: 4-16-34 x3 @backend", { ...hours(4, 16, 34), quantity: 3, role: "backend" }],
  ["Card: 2d", hours(16, 16, 16)],
  ["Card : 4 16 34 @backend ×2", { ...hours(4, 16, 34), quantity: 2, role: "backend" }],
  ['Card: @"Front end"', { role: "Front end" }],
  ["Card: x1.5", { quantity: 1.5 }],
])("%s is a title with what follows it", (text, { points, ...fields }: Record<string, unknown>) => {
  expect(readLine(text)).toEqual({
    title: "Card",
    fields,
    ...(points ? { hours: { points, typed: expect.any(Set) } } : {}),
  });
});

test.each(["Card", "Step 2", "Phase: two screens", "9:30 stand-up", "Mail: ask @anna first", "Sizes: x-large"])(
  "%s is only a title",
  (text) => expect(readLine(text)).toBe(null),
);

test("hours with two readings are asked about", () => {
  expect(readLine("Card: 1 250 x2")).toEqual(["Card: 1-250 x2", "Card: 1250 x2"]);
});
