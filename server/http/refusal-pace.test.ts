import { expect, test } from "vitest";
import { createRefusalPace, REFUSED_AT_ONCE, REFUSED_EVERY_MS, REFUSED_WITHIN_MS } from "./refusal-pace.ts";

const WAITING = REFUSED_WITHIN_MS / REFUSED_EVERY_MS;

/** A pace, on a clock that is set by hand. */
function pace() {
  let nowMs = Date.UTC(2030, 0, 1);
  const waitOf = createRefusalPace({ now: () => new Date(nowMs) });
  const move = (ms: number) => {
    nowMs += ms;
  };
  return { waitOf, move, waits: (count: number) => Array.from({ length: count }, () => waitOf("a")) };
}

test("so many refusals of a caller are answered at once, and further ones one after the other; others do not wait", () => {
  const { waitOf, move, waits } = pace();
  const expected = [...Array(REFUSED_AT_ONCE).fill(0), ...[1, 2, 3].map((place) => place * REFUSED_EVERY_MS)];
  expect(waits(REFUSED_AT_ONCE + 3)).toEqual(expected);
  expect(waitOf("b")).toBe(0);
  move(4 * REFUSED_EVERY_MS);
  expect(waits(2)).toEqual([0, REFUSED_EVERY_MS]);
});

test("no more wait than are answered within the longest wait, and they can wait again when some were answered", () => {
  const { waitOf, move, waits } = pace();
  const all = waits(REFUSED_AT_ONCE + WAITING);
  expect(all.at(-1)).toBe(REFUSED_WITHIN_MS);
  expect([waitOf("a"), waitOf("a")]).toEqual([null, null]);
  move(REFUSED_EVERY_MS);
  expect([waitOf("a"), waitOf("a")]).toEqual([REFUSED_WITHIN_MS, null]);
});

test("nobody waits longer after the clock was set back", () => {
  const { waitOf, move, waits } = pace();
  waits(REFUSED_AT_ONCE + WAITING);
  move(-86_400_000);
  expect(waitOf("a")).toBeNull();
  move(REFUSED_WITHIN_MS * 2);
  expect(waitOf("a")).toBe(0);
});
