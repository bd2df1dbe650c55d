import { describe, expect, test } from "vitest";
import { createFakeClock } from "../../../tests/fake-clock.ts";
import { createRateCounter } from "./rate-limit.ts";

const make = (perWindow = 10) => {
  const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
  return { clock, counter: createRateCounter(perWindow, 60_000, clock) };
};

describe("counting the use of callers", () => {
  test("a window starts with the first request, and refused requests use nothing", async () => {
    const { clock, counter } = make(2);
    expect(await counter.take("a")).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
    await clock.advance(20_000);
    expect(await counter.take("a")).toEqual({ allowed: true, remaining: 0, resetMs: 40_000 });
    for (let n = 0; n < 5; n += 1) expect(await counter.take("a")).toMatchObject({ allowed: false, remaining: 0 });
    expect(await counter.take("b")).toMatchObject({ allowed: true });
    await clock.advance(40_000);
    expect(await counter.take("a")).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
  });

  test("use beyond a window's units is taken from the next windows, but never a whole window", async () => {
    const { clock, counter } = make(10);
    await counter.take("a");
    await counter.charge("a", 13);
    expect(await counter.take("a")).toMatchObject({ allowed: false });
    await clock.advance(60_000);
    expect(await counter.take("a")).toMatchObject({ allowed: true, remaining: 10 - 4 - 1 });
    await counter.charge("a", 1_000);
    await clock.advance(60_000);
    expect(await counter.take("a")).toMatchObject({ allowed: true, remaining: 0 });
    await clock.advance(120_000);
    expect(await counter.take("a")).toMatchObject({ allowed: true, remaining: 9 });
  });

  test("returned units are available again", async () => {
    const { counter } = make(2);
    await counter.take("a");
    await counter.charge("a", -1);
    await counter.charge("a", -1);
    expect(await counter.take("a")).toMatchObject({ allowed: true, remaining: 1 });
  });
});
