import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTimestamp } from "./timestamp.ts";

test.each([
  ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
  ["2026-01-31t09:30:00z", "2026-01-31T09:30:00.000Z"],
  ["2026-01-31T09:30:00.1Z", "2026-01-31T09:30:00.100Z"],
  ["2026-01-31T09:30:00.123456789Z", "2026-01-31T09:30:00.123Z"],
  ["2026-01-31T09:30:00+05:45", "2026-01-31T03:45:00.000Z"],
  ["2026-01-31T00:00:00-23:59", "2026-01-31T23:59:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
])("%s is read as %s", (text, iso) => {
  expect(parseTimestamp(text)?.toISOString()).toBe(iso);
});

test.each([
  "",
  "2026-01-31",
  "2026-01-31T09:30Z",
  "2026-01-31T09:30:00",
  "2026-02-30T09:30:00Z",
  "2025-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-31T24:00:00Z",
  "2026-01-31T09:60:00Z",
  "2026-01-31T09:30:61Z",
  "2026-01-31T09:30:00+24:00",
  "0000-12-31T23:59:59Z",
  "9999-12-31T23:59:59-00:01",
  "+012026-01-31T09:30:00Z",
  "tomorrow",
])("%j is not a timestamp", (text) => {
  expect(parseTimestamp(text)).toBeNull();
});

test("every instant is read back from what it is written as", () => {
  const instants = fc.date({
    min: new Date("0001-01-01T00:00:00.000Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (date) => {
      expect(parseTimestamp(date.toISOString())).toEqual(date);
    }),
  );
});
