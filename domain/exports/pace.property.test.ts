import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BLOCKED_MS_MAX,
  expectedEnd,
  nextWriteAt,
  notePause,
  noteSuccess,
  noteWrite,
  type Paced,
  settled,
  unpaced,
} from "./pace.ts";

const START = Date.UTC(2027, 0, 31, 12, 0, 30);
const rates = fc.record({
  writesPerMinute: fc.integer({ min: 1, max: 600 }),
  writesPerHour: fc.integer({ min: 1, max: 700 }),
});

/** The times of `writes` writes, each sent as early as it may be, after pauses that other users cause. */
function send(rate: { writesPerMinute: number; writesPerHour: number }, pausesMs: readonly number[]): number[] {
  let paced: Paced = unpaced;
  let nowMs = START;
  return pausesMs.map((pauseMs) => {
    nowMs = nextWriteAt(paced, rate, nowMs + pauseMs);
    paced = noteWrite(paced, nowMs);
    return nowMs;
  });
}

it("never sends more than the limit in a minute or in any hour", () => {
  fc.assert(
    fc.property(rates, fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 1_500 }), (rate, pauses) => {
      const times = send(rate, pauses);
      for (const [at, time] of times.entries()) {
        const before = times[at - 1];
        if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(60_000 / rate.writesPerMinute);
        const hourAgo = times[at - rate.writesPerHour];
        if (hourAgo !== undefined) expect(time - hourAgo).toBeGreaterThan(3_600_000);
      }
    }),
    { numRuns: 60 },
  );
});

it("does not delay writes that are slow enough", () => {
  const rate = { writesPerMinute: 60, writesPerHour: 480 };
  const times = send(rate, Array(1_000).fill(8_000));
  expect(times).toEqual(times.map((_, at) => START + 8_000 * (at + 1)));
});

it("stores only what it needs", () => {
  let paced: Paced = unpaced;
  for (let at = 0; at < 500; at += 1) paced = noteWrite(paced, START + at * 61_000);
  expect(Object.keys(paced.minutes).length).toBeLessThanOrEqual(61);
});

it("waits as long as the tracker asks, and twice as long each time in a row if pauses grow", () => {
  const rate = { writesPerMinute: 60, writesPerHour: 480 };
  let paced = notePause(unpaced, START + 60_000, { grows: true, nowMs: START });
  expect(nextWriteAt(paced, rate, START)).toBe(START + 60_000);
  paced = notePause(paced, START + 120_000, { grows: true, nowMs: START + 60_000 });
  expect(nextWriteAt(paced, rate, START)).toBe(START + 180_000);
  paced = notePause(noteSuccess(paced), START + 240_000, { grows: true, nowMs: START + 180_000 });
  expect(nextWriteAt(paced, rate, START)).toBe(START + 240_000);
  const once = notePause(unpaced, START + 86_400_000, { grows: true, nowMs: START });
  expect(nextWriteAt(once, rate, START)).toBe(START + 86_400_000);
});

it("predicts the end of a run without pauses to within a minute, or an hour if the limit is per hour", () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 1_500 }), (rate, writes) => {
      const end = send(rate, Array(writes).fill(0)).at(-1) as number;
      const expected = expectedEnd(unpaced, rate, writes, START);
      const slack = writes > rate.writesPerHour ? 2 * 3_600_000 + (writes / rate.writesPerHour) * 120_000 : 60_000;
      expect(Math.abs(end - expected)).toBeLessThanOrEqual(slack);
    }),
    { numRuns: 60 },
  );
});

describe("a clock that was ahead", () => {
  const rate = { writesPerMinute: 60, writesPerHour: 480 };
  const HOUR_MS = 3_600_000;
  const nowMs = 1_000 * HOUR_MS;

  it("causes no delay once it is right again, and its writes count as of now", () => {
    const aheadMs = nowMs + 100 * HOUR_MS;
    const ahead = notePause(noteWrite(unpaced, aheadMs), aheadMs + 60_000, { grows: true, nowMs: aheadMs });
    const right = settled(ahead, nowMs);
    expect(right).toMatchObject({ lastWriteAt: nowMs, blockedUntil: null, strikes: 1 });
    expect(Object.values(right.minutes)).toEqual([1]);
    expect(nextWriteAt(right, rate, nowMs)).toBe(nowMs + 1_000);
  });

  it("changes nothing in a record of a correct clock", () => {
    const paced = notePause(noteWrite(unpaced, nowMs), nowMs + BLOCKED_MS_MAX, { grows: false, nowMs });
    expect(settled(paced, nowMs)).toEqual(paced);
    expect(settled(paced, nowMs - 1).blockedUntil).toBeNull();
  });
});
