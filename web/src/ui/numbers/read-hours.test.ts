import { expect, test } from "vitest";
import { styleOf } from "./number-style.ts";
import { readHours, readRange } from "./read-hours.ts";

const range = (text: string, locale = "en", isPasted = false) => {
  const read = readRange({ text, isPasted }, styleOf(locale), 100_000);
  return read.ok ? read.value : read.readings.length > 0 ? read.readings : (read.why ?? "unreadable");
};

test.each([
  ["4-16-34", "en", [4, 16, 34]],
  ["1-2-6d", "en", [8, 16, 48]],
  ["1d 12h", "en", [20]],
  ["1,5-3 Tage", "de", [12, 24]],
  ["1.250-2.000", "de", [1250, 2000]],
  ["1\u202f250", "fr", [1250]],
  ["1 250-2 000", "fr", [1250, 2000]],
  ["2:30", "en", [2.5]],
  ["", "en", null],
])("%s in %s is read", (text, locale, hours) => expect(range(text, locale)).toEqual(hours));

test.each([
  ["1 250", "en", ["1-250", "1250"]],
  ["4 16", "en", ["4-16"]],
  ["1/2", "en", ["0.5", "1-2"]],
])("%s in %s is asked about", (text, locale, readings) => expect(range(text, locale)).toEqual(readings));

test("a number that was written elsewhere is asked about where it has two readings", () => {
  expect(range("1,250", "en", true)).toEqual(["1250", "1.25"]);
  expect(range("1,250.50", "de", true)).toEqual([1250.5]);
});

test("what is refused says what to write", () => {
  expect(range("30m")).toBe("Minutes to some programs, months to others: write min or h instead of m.");
  expect(range("4-16-34-50")).toBe("unreadable");
});

test("one number is asked for, and of two nothing is guessed", () => {
  const one = (text: string) => readHours({ text }, styleOf("en"));
  expect(one("1 250")).toEqual({ ok: true, value: 1250 });
  expect(one("4 16")).toEqual({ ok: false, readings: [] });
});
