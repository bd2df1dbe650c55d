import { beforeEach, describe, expect, test } from "vitest";
import { createFakeClock, type FakeClock } from "../../../tests/fake-clock.ts";
import { createLanes, type Lanes } from "./lanes.ts";

let clock: FakeClock;
let lanes: Lanes;

beforeEach(() => {
  clock = createFakeClock();
  lanes = createLanes(clock);
});

/** Takes every place that is free; answers how many. */
async function fill(endpoint: string): Promise<number> {
  let entered = 0;
  for (; lanes.room(endpoint) > 0; entered++) await lanes.enter(endpoint);
  return entered;
}

const answer = (endpoint: string, times: number, durationMs: number, timedOut = false) => {
  for (let count = 0; count < times; count++) lanes.leave(endpoint, durationMs, timedOut);
};

describe("an endpoint's places", () => {
  test("are few at first, and more with every answer, up to a bound", async () => {
    expect(await fill("a")).toBe(4);
    answer("a", 3, 5);
    expect(lanes.room("a")).toBeGreaterThan(0);
    for (let round = 0; round < 20; round++) {
      const entered = await fill("b");
      answer("b", entered, 5);
    }
    expect(await fill("b")).toBe(32);
  });

  test("are halved by every time-out, down to one, and come back", async () => {
    await fill("a");
    answer("a", 4, 10_000, true);
    expect(await fill("a")).toBe(1);
    answer("a", 1, 5);
    expect(await fill("a")).toBe(2);
  });

  test("of one endpoint are not taken by another", async () => {
    await fill("hanging");
    expect(await fill("healthy")).toBe(4);
  });
});

describe("who finds no place", () => {
  test("gets the next one that is free", async () => {
    await fill("a");
    const entering = lanes.enter("a");
    lanes.leave("a", 5, false);
    expect(await entering).toBe(true);
  });

  test("is sent away after a moment, and those after them at once", async () => {
    await fill("a");
    const entering = lanes.enter("a");
    await clock.advance(250);
    expect(await entering).toBe(false);
    for (let count = 0; count < 10; count++) void lanes.enter("a");
    expect(await lanes.enter("a")).toBe(false);
  });

  test("is sent away at once where the endpoint is known to be slow", async () => {
    await lanes.enter("a");
    answer("a", 1, 10_000, true);
    await fill("a");
    expect(await lanes.enter("a")).toBe(false);
    expect(lanes.room("a")).toBe(0);
  });
});

test("many slow endpoints together leave places for the others", async () => {
  let taken = 0;
  for (let at = 0; at < 400; at++) {
    await lanes.enter(`slow-${at}`);
    answer(`slow-${at}`, 1, 10_000, true);
    if (await lanes.enter(`slow-${at}`)) taken++;
  }
  expect(taken).toBe(200);
  expect(await fill("healthy")).toBe(4);
  // What is given back can be taken again.
  answer("slow-0", 1, 10_000, true);
  expect(await lanes.enter("slow-399")).toBe(true);
  expect(await lanes.enter("slow-398")).toBe(false);
});
