import fc from "fast-check";
import { expect, test } from "vitest";
import { eachLine } from "./each-line.ts";

test("the lines of a text are found, with any line ends", () => {
  const texts = fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "\u2028", "b c"), { maxLength: 12 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join("");
      expect([...eachLine(text)]).toEqual(text.split(/\r\n|\n|\r/));
    }),
    { numRuns: 1_000 },
  );
});
