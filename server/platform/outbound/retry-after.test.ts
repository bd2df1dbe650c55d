import { expect, test } from "vitest";
import { retryAfterMs } from "./index.ts";

const now = new Date("2027-01-31T12:00:00Z");

test.each([
  ["0", 0],
  ["120", 120_000],
  [" 7 ", 7_000],
  ["9999999999", 9_999_999_999_000],
  // The three forms of a date in HTTP.
  ["Sun, 31 Jan 2027 12:02:00 GMT", 120_000],
  ["Sunday, 31-Jan-27 12:02:00 GMT", 120_000],
  ["Sun Jan 31 12:02:00 2027", 120_000],
  ["Sun, 31 Jan 2027 11:00:00 GMT", 0],
  ["", null],
  ["-1", null],
  ["1.5", null],
  ["1e3", null],
  ["99999999999", null],
  ["soon", null],
  ["Sun, soon", null],
])("Retry-After: %s is %s milliseconds", (text, ms) => {
  expect(retryAfterMs({ headers: { "retry-after": text } }, now)).toBe(ms);
});

test("a date is compared with the time of the response, by the same clock", () => {
  const headers = { "retry-after": "Mon, 01 Feb 2027 08:00:30 GMT", date: "Mon, 01 Feb 2027 08:00:00 GMT" };
  expect(retryAfterMs({ headers }, now)).toBe(30_000);
  expect(retryAfterMs({ headers: {} }, now)).toBeNull();
});
