import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../tests/fake-clock.ts";
import { createMoments, createPace, createSlots } from "./shares.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test("slots are free again after release", () => {
  const slots = createSlots(2);
  slots.take();
  slots.take();
  expect(slots.free()).toBe(0);
  slots.giveBack();
  expect(slots.free()).toBe(1);
});

test("a rate is used up by requests started within the last minute, whether they have ended or not", async () => {
  const clock = createFakeClock(new Date("2026-11-21T03:00:00.500Z"));
  const pace = createPace(clock, 3);
  for (let count = 0; count < 3; count++) pace.take();
  pace.giveBack();
  expect(pace.free()).toBe(0);
  await clock.advance(MINUTE);
  expect(pace.free()).toBe(0);
  await clock.advance(SECOND);
  expect(pace.free()).toBe(3);
});

test("no minute, whenever it starts, has more starts than the rate allows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 * SECOND }), { maxLength: 60 }), async (pauses) => {
      const clock = createFakeClock();
      const pace = createPace(clock, 5);
      const begun: number[] = [];
      for (const pauseMs of pauses) {
        await clock.advance(pauseMs);
        if (pace.free() <= 0) continue;
        pace.take();
        begun.push(clock.now().getTime());
      }
      for (const at of begun) {
        expect(begun.filter((other) => other >= at && other < at + MINUTE).length).toBeLessThanOrEqual(5);
      }
      // The whole rate is available again.
      await clock.advance(MINUTE + SECOND);
      expect(pace.free()).toBe(5);
    }),
    { numRuns: 50 },
  );
});

test("a clock that was ahead and is set back does not block a rate", () => {
  let at = new Date("2027-01-01T00:00:00Z");
  const pace = createPace({ now: () => at, after: () => () => {} }, 2);
  pace.take();
  pace.take();
  at = new Date("2026-11-21T00:00:00Z");
  expect(pace.free()).toBe(2);
  pace.take();
  expect(pace.free()).toBe(1);
});

test("a moment begins with its first request, and has no more starts than its limit", () => {
  let ms = 10_000;
  const moments = createMoments({ now: () => new Date(ms), after: () => () => {} }, 2, 250);
  moments.take();
  ms += 200;
  moments.take();
  expect(moments.free()).toBe(0);
  ms += 49;
  expect(moments.free()).toBe(0);
  ms += 1;
  expect(moments.free()).toBe(2);
  moments.take();
  // The clock was ahead, and is set back.
  ms = 0;
  expect(moments.free()).toBe(2);
});
