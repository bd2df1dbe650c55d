import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { createRefusalPace, REFUSED_AT_ONCE, REFUSED_EVERY_MS, REFUSED_WITHIN_MS } from "./refusal-pace.ts";

/** Refuses a caller so often; returns how many milliseconds each refusal waited. */
async function refuse(clock: ReturnType<typeof createFakeClock>, count: number, wait = createRefusalPace(clock)) {
  const startMs = clock.now().getTime();
  const waited: number[] = [];
  const all = Array.from({ length: count }, () =>
    wait("a").then(() => {
      waited.push(clock.now().getTime() - startMs);
    }),
  );
  await turn();
  for (let at = 0; at < (REFUSED_WITHIN_MS + 1_000) / REFUSED_EVERY_MS; at += 1) await clock.advance(REFUSED_EVERY_MS);
  await Promise.all(all);
  return waited;
}

test("so many refusals of a caller are answered at once, and further ones one after the other", async () => {
  const clock = createFakeClock();
  const waited = await refuse(clock, REFUSED_AT_ONCE + 3);
  expect(waited).toEqual([...Array(REFUSED_AT_ONCE).fill(0), ...[1, 2, 3].map((place) => place * REFUSED_EVERY_MS)]);
});

test("none waits longer than it may, also after the clock was set back, and others do not wait", async () => {
  const clock = createFakeClock();
  const wait = createRefusalPace(clock);
  const waited = await refuse(clock, 3 * (REFUSED_WITHIN_MS / REFUSED_EVERY_MS), wait);
  expect(Math.max(...waited)).toBe(REFUSED_WITHIN_MS);
  let answered = false;
  for (let at = 0; at < REFUSED_AT_ONCE; at += 1) await wait("b");
  void wait("b").then(() => {
    answered = true;
  });
  await clock.advance(0);
  expect(answered).toBe(false);
  await clock.advance(REFUSED_EVERY_MS);
  expect(answered).toBe(true);

  let now = new Date("2030-01-01T00:00:00Z");
  const delays: number[] = [];
  const jumping = createRefusalPace({
    now: () => now,
    after(delayMs, action) {
      delays.push(delayMs);
      action();
      return () => {};
    },
  });
  for (let at = 0; at < 2 * REFUSED_AT_ONCE; at += 1) await jumping("a");
  now = new Date("2029-01-01T00:00:00Z");
  await jumping("a");
  expect(delays.at(-1)).toBe(REFUSED_WITHIN_MS);
});
