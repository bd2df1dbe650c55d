import fc from "fast-check";
import { expect, test } from "vitest";
import { clean, cleanAll, cleanJson, cleanLines, cut, cutBegin, left, right, widthOf, wrap } from "./text.ts";

/** What a terminal would act on, or turn around. */
const ACTS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

test.each([
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]0;title of the window\u0007Shop", "Shop"],
  ["a\u009b2Jb", "ab"],
  ["two\nlines\tand a tab", "two lines and a tab"],
  ["\u202ecod.exe", " cod.exe"],
  ["Größe 👩‍👩‍👧 漢字", "Größe 👩‍👩‍👧 漢字"],
])("%j is shown as %j", (text, shown) => {
  expect(clean(text)).toBe(shown);
});

test("nothing that a terminal acts on is left, anywhere in data; lines of a text stay lines", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "\u001b", "[", "]", "31m", "\u0007", "\u009b", "\u007f", "\u202e", "\n", "\r"),
  });
  fc.assert(
    fc.property(text, (title) => {
      const data = { title, list: [{ title, none: null, number: 1 }] };
      expect(JSON.stringify(Object.values(cleanAll(data)))).not.toMatch(ACTS);
      expect(clean(title)).not.toMatch(ACTS);
      expect(cleanLines(title).join("")).not.toMatch(ACTS);
      // JSON says the same, without anything that acts.
      const json = cleanJson(data, 2);
      expect(json.replaceAll("\n", "")).not.toMatch(ACTS);
      expect(JSON.parse(json)).toEqual(data);
    }),
  );
});

test.each([
  ["Shop", 4],
  ["漢字", 4],
  ["👩‍👩‍👧", 2],
  ["e\u0301", 1],
  ["❤️", 2],
  ["", 0],
])("%s takes the columns that a terminal gives it: %i", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("text is cut and filled to the width, between characters as people see them", () => {
  const parts = fc.array(fc.constantFrom("a", " ", "漢", "👩‍👩‍👧", "e\u0301", "❤️"));
  fc.assert(
    fc.property(parts, fc.integer({ min: 2, max: 20 }), (characters, width) => {
      const text = characters.join("");
      expect(widthOf(left(text, width))).toBe(width);
      expect(widthOf(right(text, width))).toBe(width);
      const shown = cut(text, width);
      expect(widthOf(shown)).toBeLessThanOrEqual(width);
      const end = cutBegin(text, width);
      expect(widthOf(end)).toBeLessThanOrEqual(width);
      if (widthOf(text) <= width) expect([shown, end]).toEqual([text, text]);
      else {
        expect(text.startsWith(shown.slice(0, -1))).toBe(true);
        expect(text.endsWith(end.slice(1))).toBe(true);
      }
    }),
  );
});

test("words are wrapped within the width, none is lost", () => {
  const text = "Estimations on the command line: read, try out, choose, edit";
  const lines = wrap(text, 20);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(20);
  expect(lines.join(" ")).toBe(text);
});
