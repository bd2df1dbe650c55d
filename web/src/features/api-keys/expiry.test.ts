import { describe, expect, test } from "vitest";
import { expiryOf, stateOf } from "./expiry.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

describe("the expiry of a new key", () => {
  test("is so many days from now, never, or the end of a day where the reader is", () => {
    expect(expiryOf("days7", "", NOW)).toBe("2026-03-08T12:00:00.000Z");
    expect(expiryOf("never", "", NOW)).toBeNull();
    const end = new Date(expiryOf("date", "2027-01-31", NOW) ?? "");
    expect([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours(), end.getMinutes()]).toEqual([
      2027, 0, 31, 23, 59,
    ]);
  });

  test("is not never where no day is given", () => {
    for (const day of ["", "null", "2027-13-01"]) expect(expiryOf("date", day, NOW)).toBeUndefined();
  });
});

test("a key is refused from the millisecond of its expiry on, and a revoked one counts as revoked", () => {
  const key = (expiresAt: string | null, revokedAt: string | null = null) => stateOf({ expiresAt, revokedAt }, NOW);
  expect([key(at(0.001)), key(at(0)), key(null), key(at(-1), at(-1))]).toEqual([
    "valid",
    "expired",
    "valid",
    "revoked",
  ]);
});
