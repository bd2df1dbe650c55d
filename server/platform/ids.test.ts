import { expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { createIds, isWellFormedId } from "./ids.ts";

test("an id has its kind's prefix and 26 characters that hold a UUIDv7 of the time", () => {
  const ids = createIds(createFakeClock(new Date("2026-01-31T09:30:00.123Z")));
  const id = ids.next("estimation");
  expect(id).toMatch(/^est_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  const value = [...id.slice(4)].reduce((sum, character) => sum * 32n + BigInt(alphabet.indexOf(character)), 0n);
  expect(Number(value >> 80n)).toBe(Date.parse("2026-01-31T09:30:00.123Z"));
  expect((value >> 76n) & 15n).toBe(7n);
  expect((value >> 62n) & 3n).toBe(2n);
});

test("ids increase within a millisecond, after it, and when the clock is set back", () => {
  let nowMs = Date.parse("2026-01-31T09:30:00.000Z");
  const ids = createIds({ ...createFakeClock(), now: () => new Date(nowMs) });
  const made: string[] = [];
  const make = (count: number) => {
    for (let n = 0; n < count; n += 1) made.push(ids.next("task"));
  };
  make(9_000);
  nowMs += 1;
  make(2);
  nowMs -= 60_000;
  make(2);
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test("text that cannot be an id is recognised", () => {
  expect(isWellFormedId(`est_${"0".repeat(26)}`)).toBe(true);
  for (const text of [
    "",
    "est_",
    `est_${"0".repeat(25)}`,
    `est_${"0".repeat(27)}`,
    `EST_${"0".repeat(26)}`,
    `est_${"A".repeat(26)}`,
    `est_${"0".repeat(25)}\0`,
  ]) {
    expect(isWellFormedId(text)).toBe(false);
  }
});
