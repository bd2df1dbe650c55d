import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "./code-points.ts";

test("each is one character that can be stored in a text, and the first and the last ones are among them", () => {
  for (const text of fc.sample(codePoint, 500)) {
    expect([...text]).toHaveLength(1);
    expect(text.isWellFormed()).toBe(true);
  }
  const isOne = (value: unknown) => codePoint.canShrinkWithoutContext(value as string);
  expect(["\0", "\u{d7ff}", "\u{e000}", "\u{10ffff}"].filter(isOne)).toHaveLength(4);
  expect(["", "ab", "\u{d800}", 7].filter(isOne)).toEqual([]);
});
