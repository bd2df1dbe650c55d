import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as numberStyle from "./number-style.ts";
import { readHours, readRange } from "./read-hours.ts";
import { readNumber } from "./read-number.ts";

const LOCALES = ["en", "de", "fr", "de-CH", "en-IN", "es", "pt-PT", "sv", "ar"];
const MOST = 100_000;

/** Returns the same result for the same arguments: making a format takes longer than using it. */
function kept<Arguments extends readonly unknown[], Result>(make: (...args: Arguments) => Result) {
  const made = new Map<string, Result>();
  return (...args: Arguments): Result => {
    const key = JSON.stringify(args);
    const result = made.get(key) ?? make(...args);
    made.set(key, result);
    return result;
  };
}
const styleOf = kept(numberStyle.styleOf);

const number = (text: string, locale = "en", isPasted = false) => {
  const read = readNumber({ text, isPasted }, styleOf(locale));
  return read.ok ? read.value : read.readings;
};
const hours = (text: string, locale = "en") => {
  const read = readHours({ text }, styleOf(locale));
  return read.ok ? read.value : read.readings;
};
const range = (text: string, locale = "en", isPasted = false) => {
  const read = readRange({ text, isPasted }, styleOf(locale), MOST);
  return read.ok ? read.value : read.readings;
};

const shown = kept(
  (locale: string, useGrouping: "always" | "auto" | false = "auto") =>
    new Intl.NumberFormat(locale, { numberingSystem: "latn", useGrouping, maximumFractionDigits: 2 }),
);
/** Numbers to hundredths, many of them with groups, and with three digits behind the separator. */
const values = fc.oneof(
  fc.integer({ min: 0, max: MOST * 100 }).map((hundredths) => hundredths / 100),
  fc.integer({ min: 1, max: 100 }).map((thousands) => thousands * 1_000),
  fc.integer({ min: 1_000, max: 10_000 }),
);
const eachLocale = fc.constantFrom(...LOCALES);

describe("what is shown can be typed back unchanged", () => {
  test("a number, with its groups as they show or as a keyboard types them", () => {
    fc.assert(
      fc.property(
        eachLocale,
        values,
        fc.constantFrom("always", "auto", false) as fc.Arbitrary<"always" | "auto" | false>,
        (locale, value, grouping) => {
          const text = shown(locale, grouping).format(value);
          expect(number(text, locale)).toBe(value);
          expect(number(text.replace(/[\u00a0\u202f]/g, " ").replace("’", "'"), locale)).toBe(value);
          expect(number(styleOf(locale).write(value), locale)).toBe(value);
          expect(hours(text, locale)).toBe(value);
          expect(range(text, locale)).toEqual([value]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("three hours, however they are separated", () => {
    const points = fc.array(values, { minLength: 3, maxLength: 3 }).map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(eachLocale, points, fc.constantFrom("-", "–", " - ", "/"), (locale, all, separator) => {
        const text = all.map((value) => shown(locale).format(value)).join(separator);
        expect(range(text, locale)).toEqual(all);
      }),
      { numRuns: 1_000 },
    );
  });

  test("what stands between spaces is never taken for something else without asking", () => {
    fc.assert(
      fc.property(eachLocale, values, values, (locale, one, other) => {
        const pair = [one, other].toSorted((a, b) => a - b);
        const { write } = styleOf(locale);
        const read = range(pair.map(write).join(" "), locale);
        expect([read, []].flat().map(String)).toEqual(
          expect.arrayContaining(
            Array.isArray(read) && typeof read[0] === "string" ? [pair.map(write).join("-")] : pair.map(String),
          ),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the page's own locale is read", () => {
  test.each([
    ["1,250", "en", 1250],
    ["1,250", "de", 1.25],
    ["1,250", "fr", 1.25],
    ["1.250", "en", 1.25],
    ["1.250", "de", 1250],
    ["1.250", "de-CH", 1.25],
    ["1’250.50", "de-CH", 1250.5],
    ["1'250.5", "de-CH", 1250.5],
    ["1 250,5", "fr", 1250.5],
    ["1\u202f250,5", "fr", 1250.5],
    ["1.250,5", "de", 1250.5],
    ["1,00,000", "en-IN", 100_000],
    ["1,234.5", "en", 1234.5],
    [" 2 ", "en", 2],
    [".25", "en", 0.25],
    ["", "en", null],
  ])("%s in %s", (text, locale, value) => {
    expect(number(text, locale)).toBe(value);
  });

  test.each([
    ["1,5", "en", 1.5],
    ["0,500", "en", 0.5],
    ["1,25", "de-CH", 1.25],
    ["1.5", "de", 1.5],
    ["1.25", "fr", 1.25],
    ["1 000", "en", 1000],
    ["1.234.567", "fr", 1_234_567],
  ])("as another locale writes it, where that has one reading: %s in %s", (text, locale, value) => {
    expect(number(text, locale)).toBe(value);
  });

  test.each([
    ["1.250", "fr", ["1,25", "1250"]],
    ["1,250", "de-CH", ["1250", "1.25"]],
  ])("%s in %s has two readings", (text, locale, readings) => {
    expect(number(text, locale)).toEqual(expect.arrayContaining(readings));
    expect(number(text, locale)).toHaveLength(2);
  });

  test.each(["x", "-1", "1e3", "1,23,4", "1.2.3", "7h", ".", ",", "Infinity", "1,,000", "9".repeat(400)])(
    "%s is no number",
    (text) => {
      for (const locale of LOCALES) expect(number(text, locale)).toEqual([]);
    },
  );
});

describe("what is pasted may be written as elsewhere", () => {
  test("two readings are asked about, also where the page has one", () => {
    expect(number("1,250", "en", true)).toEqual(["1250", "1.25"]);
    expect(number("1,250", "de", true)).toEqual(["1,25", "1250"]);
    expect(number("1.250", "en", true)).toEqual(["1.25", "1250"]);
    expect(number("1250", "en", true)).toBe(1250);
    expect(number("1,250.50", "de", true)).toBe(1250.5);
  });

  test("cells of a spreadsheet are three hours", () => {
    expect(range("4\t16\t34", "en", true)).toEqual([4, 16, 34]);
    expect(range("1,5\t3\t8,25", "en", true)).toEqual([1.5, 3, 8.25]);
    expect(range("1,250\t2,000\t3,000", "en", true)).toEqual(["1250-2000-3000", "1.25-2-3"]);
  });

  test("it is read as it was meant, or asked about", () => {
    fc.assert(
      fc.property(eachLocale, eachLocale, values, (from, to, value) => {
        const read = number(shown(from).format(value), to, true);
        expect([read].flat()).toContainEqual(typeof read === "number" ? value : styleOf(to).write(value));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("hours", () => {
  test.each([
    ["4-16-34", [4, 16, 34]],
    ["4/16/34", [4, 16, 34]],
    ["4 16 34", [4, 16, 34]],
    ["4 – 16 – 34", [4, 16, 34]],
    ["100 200 300", [100, 200, 300]],
    ["2d-1w", [16, 40]],
    ["8h", [8]],
    ["2 d", [16]],
    ["1 d 2 d 1 w", [8, 16, 40]],
    ["1.5d", [12]],
    ["1-2-6d", [8, 16, 48]],
    ["2-3 d", [16, 24]],
    ["0.126", [0.13]],
    ["1,250-2,000-3,000", [1250, 2000, 3000]],
    ["34 16 4", [34, 16, 4]],
    ["", null],
  ])("%s", (text, value) => {
    expect(range(text)).toEqual(value);
  });

  test("where there is one number, a space between digits separates groups", () => {
    expect(["1 250", "1,250", "2d", "1,5", "0.126", "1 w"].map((text) => hours(text))).toEqual([
      1250, 1250, 16, 1.5, 0.13, 40,
    ]);
    for (const text of ["4-16-34", "4 16", "7m", "x"]) expect(hours(text)).toEqual([]);
  });

  test("a space between digits can separate groups or hours", () => {
    for (const locale of ["en", "fr"]) expect(range("1 250", locale)).toEqual(["1-250", "1250"]);
    expect(range("1\u202f250", "fr")).toEqual([1250]);
    expect(range("1 250-2 000", "fr")).toEqual([1250, 2000]);
  });

  test.each(["x", "2d 1w", "4-16-34-50", "4--16", "4-", "2m", "2dd", "4, 16, 34", "-4"])(
    "%s cannot be read",
    (text) => {
      for (const locale of LOCALES) expect(range(text, locale)).toEqual([]);
    },
  );

  test("each answer to a question has this one reading", () => {
    const texts = fc.stringMatching(/^\d{1,3}([ .,’/-]\d{1,3}){1,3}$/);
    fc.assert(
      fc.property(eachLocale, texts, fc.boolean(), (locale, text, isPasted) => {
        const read = readRange({ text, isPasted }, styleOf(locale), MOST);
        if (read.ok) return;
        for (const response of read.readings)
          expect(readRange({ text: response }, styleOf(locale), MOST).ok && response).toBe(response);
      }),
      { numRuns: 2_000 },
    );
  });
});
