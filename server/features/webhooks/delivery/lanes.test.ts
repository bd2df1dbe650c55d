import { beforeEach, describe, expect, test } from "vitest";
import { createFakeClock, type FakeClock } from "../../../../tests/fake-clock.ts";
import { createLanes, type Lanes, type Passage } from "./lanes.ts";

let clock: FakeClock;
let lanes: Lanes;

beforeEach(() => {
  clock = createFakeClock();
  lanes = createLanes(clock);
});

/** Takes every slot that is free; returns how many. */
async function fill(endpoint: string): Promise<number> {
  let entered = 0;
  for (; lanes.room(endpoint) > 0; entered++) await lanes.enter(endpoint);
  return entered;
}

const answered = (durationMs: number): Passage => ({ durationMs, failed: false, timedOut: false });
const failed = (durationMs: number): Passage => ({ durationMs, failed: true, timedOut: false });
const timedOut: Passage = { durationMs: 10_000, failed: true, timedOut: true };

const leave = (endpoint: string, times: number, passage: Passage | null) => {
  for (let count = 0; count < times; count++) lanes.leave(endpoint, passage);
};

/** Has an endpoint answered so quickly and so often that it has as many slots as there are. */
async function grow(endpoint: string): Promise<void> {
  for (let round = 0; round < 20; round++) leave(endpoint, await fill(endpoint), answered(5));
}

/** Takes all the slots that slow endpoints share, one for each of `slow-0`, `slow-1` and so on. */
async function takeShared(): Promise<void> {
  for (let at = 0; at < 200; at++) {
    await lanes.enter(`slow-${at}`);
    lanes.leave(`slow-${at}`, timedOut);
    expect(lanes.enter(`slow-${at}`)).toBe(true);
  }
}

/** An endpoint that is known to be slow, with nothing under way to it. */
async function makeSlow(endpoint: string): Promise<void> {
  await lanes.enter(endpoint);
  lanes.leave(endpoint, timedOut);
}

const everyone = () => true;

describe("an endpoint's slots", () => {
  test("are few at first, and more with every answer, up to a bound", async () => {
    expect(await fill("a")).toBe(4);
    leave("a", 3, answered(5));
    expect(lanes.room("a")).toBeGreaterThan(0);
    await grow("b");
    expect(await fill("b")).toBe(32);
  });

  test("are halved by every time-out, down to one, and come back", async () => {
    await fill("a");
    leave("a", 4, timedOut);
    expect(await fill("a")).toBe(1);
    leave("a", 1, answered(5));
    expect(await fill("a")).toBe(2);
  });

  test("are halved by every failure that took as long as a hang", async () => {
    await fill("a");
    leave("a", 4, failed(9_000));
    expect(await fill("a")).toBe(1);
    // One that came at once tells that the endpoint bears more, and a slow answer that it works.
    leave("a", 1, failed(5));
    expect(await fill("a")).toBe(2);
    leave("a", 2, answered(9_000));
    expect(await fill("a")).toBe(4);
  });

  test("stay as they are where nothing was sent", async () => {
    await makeSlow("a");
    for (let count = 0; count < 50; count++) {
      expect(await fill("a")).toBe(2);
      leave("a", 2, null);
    }
    expect(lanes.isQuick("a")).toBe(false);
  });

  test("are called for in small groups, however quick it is", async () => {
    await grow("a");
    leave("a", await fill("a"), answered(0));
    expect(lanes.room("a")).toBe(200);
  });

  test("of one endpoint are not taken by another", async () => {
    await fill("hanging");
    expect(await fill("healthy")).toBe(4);
  });
});

describe("who finds no slot", () => {
  test("gets the next one that is free", async () => {
    await fill("a");
    const entering = lanes.enter("a");
    lanes.leave("a", answered(5));
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
    await makeSlow("a");
    await fill("a");
    expect(await lanes.enter("a")).toBe(false);
    expect(lanes.room("a")).toBe(0);
  });
});

describe("a stall", () => {
  /** Takes every slot of an endpoint that was quick, and lets one wait in vain. */
  async function stall(endpoint: string): Promise<number> {
    await grow(endpoint);
    const underWay = await fill(endpoint);
    const entering = lanes.enter(endpoint);
    await clock.advance(250);
    expect(await entering).toBe(false);
    return underWay;
  }

  test("of a moment does not make a quick endpoint one of the slow ones", async () => {
    await takeShared();
    const underWay = await stall("a");
    leave("a", underWay, answered(300));
    // It would have no slot if it counted as slow.
    expect(await fill("a")).toBe(32);
  });

  test("ends with the first answer", async () => {
    await stall("a");
    lanes.leave("a", answered(300));
    await clock.advance(5_000);
    await takeShared();
    lanes.leave("a", answered(5));
    expect(lanes.room("a")).toBeGreaterThan(0);
  });

  test("that lasts does", async () => {
    await stall("a");
    await clock.advance(1_000);
    // Its 32 are counted among the 200 now.
    let taken = 0;
    for (let at = 0; at < 200; at++) {
      await makeSlow(`slow-${at}`);
      if (await lanes.enter(`slow-${at}`)) taken++;
    }
    expect(taken).toBe(200 - 32);
  });
});

describe("the slots that slow endpoints share", () => {
  test("are a part of all: many of them together leave slots for the others", async () => {
    await takeShared();
    await makeSlow("late");
    expect(await lanes.enter("late")).toBe(false);
    expect(await fill("healthy")).toBe(4);
    // What is given back can be taken again.
    leave("slow-0", 1, timedOut);
    expect(await lanes.enter("late")).toBe(true);
    expect(await lanes.enter("slow-0")).toBe(false);
  });

  test("are called for no more than there are", async () => {
    await makeSlow("late");
    await takeShared();
    expect(lanes.room("late")).toBe(0);
    leave("slow-0", 1, timedOut);
    expect(lanes.room("late")).toBe(1);
  });

  test("go to the endpoint that was turned away longest ago, then back to the one that gave it up", async () => {
    for (const endpoint of ["first", "second", "done"]) await makeSlow(endpoint);
    await takeShared();
    for (const endpoint of ["first", "done"]) expect(await lanes.enter(endpoint)).toBe(false);
    expect(lanes.room("second")).toBe(0);
    const wants = (endpoint: string) => endpoint !== "done";

    leave("slow-0", 1, timedOut);
    expect(lanes.turnsAfter("slow-0", wants)).toEqual(["first"]);
    expect(await lanes.enter("first")).toBe(true);
    // Who has nothing left to send is passed over.
    leave("slow-1", 1, timedOut);
    expect(lanes.turnsAfter("slow-1", wants)).toEqual(["second"]);
    expect(await lanes.enter("second")).toBe(true);
    leave("first", 1, timedOut);
    expect(lanes.turnsAfter("first", wants)).toEqual(["slow-0"]);
  });

  test("are offered to nobody else while there is no contention for them", async () => {
    await makeSlow("a");
    expect(await lanes.enter("a")).toBe(true);
    leave("a", 1, timedOut);
    expect(lanes.turnsAfter("a", everyone)).toEqual(["a"]);
  });

  test("do not concern a quick endpoint, which goes on in any case", async () => {
    await makeSlow("late");
    await takeShared();
    expect(await lanes.enter("late")).toBe(false);
    await lanes.enter("healthy");
    leave("healthy", 1, answered(5));
    expect(lanes.turnsAfter("healthy", everyone)).toEqual(["healthy"]);
  });
});
