import { beforeEach, describe, expect, test } from "vitest";
import { createFakeClock, type FakeClock } from "../../../../tests/fake-clock.ts";
import { createLanes, type Endpoint, type Lanes, type Passage, type Slot } from "./lanes.ts";

const PER_MINUTE = 1_000_000;

let clock: FakeClock;
let lanes: Lanes;

beforeEach(() => {
  clock = createFakeClock();
  lanes = createLanes(clock, PER_MINUTE);
});

/** An endpoint, of its own owner unless one is given. */
const at = (webhookId: string, ownerId = `owner of ${webhookId}`): Endpoint => ({ webhookId, ownerId });

/** Takes a slot that is free at once. */
function take(endpoint: Endpoint): Slot {
  const slot = lanes.enter(endpoint);
  if (slot === null || slot instanceof Promise) throw new Error(`${endpoint.webhookId} found no slot`);
  return slot;
}

/** Takes every slot that is free. */
function fill(endpoint: Endpoint): Slot[] {
  const slots: Slot[] = [];
  while (lanes.room(endpoint) > 0) slots.push(take(endpoint));
  return slots;
}

const answered = (durationMs: number): Passage => ({ durationMs, failed: false, timedOut: false });
const failed = (durationMs: number): Passage => ({ durationMs, failed: true, timedOut: false });
const hung: Passage = { durationMs: 10_000, failed: true, timedOut: true };

const leave = (slots: readonly Slot[], passage: Passage | null) => {
  for (const slot of slots) slot.leave(passage);
};

/** Makes an endpoint answer so quickly and so often that it gets the maximum number of slots. */
function grow(endpoint: Endpoint): Endpoint {
  for (let round = 0; round < 20; round++) leave(fill(endpoint), answered(5));
  return endpoint;
}

/** An endpoint that is known to hang, with no requests under way. */
function makeSlow(endpoint: Endpoint): Endpoint {
  take(endpoint).leave(hung);
  return endpoint;
}

/** Takes all the slots that slow endpoints share, each for an endpoint of a different owner. */
const takeShared = (): Slot[] => Array.from({ length: 200 }, (_, number) => take(makeSlow(at(`slow-${number}`))));

const everyone = () => true;

describe("an endpoint's slots", () => {
  test("are few at first, and grow by one with every answer, up to a limit", () => {
    const slots = fill(at("a"));
    expect(slots).toHaveLength(4);
    slots.pop()?.leave(answered(5));
    expect(fill(at("a"))).toHaveLength(2);
    expect(fill(grow(at("b")))).toHaveLength(32);
  });

  test("drop to one when it hangs, and grow again with its answers", () => {
    const [first, ...others] = fill(grow(at("a")));
    first?.leave(hung);
    expect(lanes.room(at("a"))).toBe(0);
    leave(others.slice(1), null);
    expect(lanes.room(at("a"))).toBe(0);
    leave(others.slice(0, 1), hung);
    const [only, ...more] = fill(at("a"));
    expect(more).toEqual([]);
    only?.leave(answered(5));
    expect(fill(at("a"))).toHaveLength(2);
  });

  test("drop to one after a failure as slow as a hang, not after a quick failure or a slow answer", () => {
    take(at("a")).leave(failed(5));
    take(at("a")).leave(answered(3_000));
    take(at("a")).leave(answered(3_001));
    expect(fill(at("a"))).toHaveLength(6);
    take(at("b")).leave(failed(9_000));
    expect(fill(at("b"))).toHaveLength(1);
  });

  test("stay the same if nothing was sent", () => {
    makeSlow(at("a"));
    for (let count = 0; count < 50; count++) leave(fill(at("a")), null);
    expect(fill(at("a"))).toHaveLength(1);
    expect(lanes.isQuick(at("a"))).toBe(false);
  });

  test("of one endpoint are not taken by another", () => {
    fill(at("hanging"));
    expect(fill(at("healthy"))).toHaveLength(4);
  });

  test.each([
    { serviceMs: 1_000, atOnce: 1 },
    { serviceMs: 400, atOnce: 1 },
    { serviceMs: 3_000, atOnce: 1 },
    { serviceMs: 3_000, atOnce: 8 },
  ])(
    "do not exceed what an endpoint can handle: $atOnce at a time, $serviceMs ms each",
    async ({ serviceMs, atOnce }) => {
      const TIMEOUT_MS = 10_000;
      const DELIVERIES = 300;
      const freeAt = Array.from({ length: atOnce }, () => clock.now().getTime());
      let [left, timeouts] = [DELIVERIES, 0];
      const send = (slot: Slot): void => {
        const now = clock.now().getTime();
        freeAt.sort((a, b) => a - b);
        const durationMs = Math.max(0, (freeAt[0] as number) - now) + serviceMs;
        const isLate = durationMs > TIMEOUT_MS;
        if (isLate) timeouts += 1;
        else freeAt[0] = now + durationMs;
        clock.after(Math.min(durationMs, TIMEOUT_MS), () => {
          slot.leave(isLate ? hung : answered(durationMs));
          sendMore();
        });
      };
      const sendMore = (): void => {
        for (; left > 0 && lanes.room(at("a")) > 0; left -= 1) send(take(at("a")));
      };
      sendMore();
      await clock.advance(DELIVERIES * (serviceMs + 1_000));
      expect(left).toBe(0);
      expect(timeouts / DELIVERIES).toBeLessThanOrEqual(0.01);
    },
  );
});

describe("if no slot is free", () => {
  test("a request waits for the next free one", async () => {
    const slots = fill(grow(at("a")));
    const entering = lanes.enter(at("a"));
    slots[0]?.leave(answered(5));
    expect(await entering).not.toBeNull();
  });

  test("a request is turned away after a moment, and later ones at once, until one comes back", async () => {
    const slots = fill(grow(at("a")));
    const entering = lanes.enter(at("a"));
    await clock.advance(250);
    expect(await entering).toBeNull();
    expect(lanes.enter(at("a"))).toBeNull();
    expect(lanes.isQuick(at("a"))).toBe(false);
    slots[0]?.leave(answered(5));
    expect(lanes.isQuick(at("a"))).toBe(true);
  });

  test("no more requests wait than can start in that moment", () => {
    const slots = fill(grow(at("a")));
    slots.pop()?.leave(answered(900));
    take(at("a"));
    // 32 slots, 900 ms each: 8 in a quarter of a second.
    for (let count = 0; count < 8; count++) expect(lanes.enter(at("a"))).toBeInstanceOf(Promise);
    expect(lanes.enter(at("a"))).toBeNull();
  });

  test("no request waits for an endpoint that is slow or not known yet", () => {
    fill(at("new"));
    expect(lanes.enter(at("new"))).toBeNull();
    fill(makeSlow(at("slow")));
    expect(lanes.enter(at("slow"))).toBeNull();
    expect(lanes.room(at("slow"))).toBe(0);
  });

  test("requests waiting for several endpoints of an owner get slots in turn", async () => {
    const [a, b, c] = ["a", "b", "c"].map((id) => grow(at(id, "one"))) as [Endpoint, Endpoint, Endpoint];
    const slots = [...fill(a), ...fill(b)];
    // All the owner's slots are taken; the requests that wait for `c` are behind its first one.
    slots.pop()?.leave(answered(5));
    take(c);
    const entered: string[] = [];
    const enter = (endpoint: Endpoint) =>
      void Promise.resolve(lanes.enter(endpoint)).then((slot) => slot && entered.push(endpoint.webhookId));
    for (const endpoint of [a, a, a, c, c]) enter(endpoint);
    for (let count = 0; count < 4; count++) slots[count]?.leave(answered(5));
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).toEqual(["a", "c", "a", "c"]);
  });
});

describe("an owner", () => {
  test("has a share of the slots of slow endpoints, even with ever new endpoints", () => {
    let taken = 0;
    for (let number = 0; number < 100; number++) taken += fill(at(`new-${number}`, "one")).length;
    expect(taken).toBe(32);
    // Another owner's slots are not affected, whether its endpoints are known or not.
    expect(fill(at("other"))).toHaveLength(4);
    expect(fill(makeSlow(at("slow")))).toHaveLength(1);
  });

  test("has a share of all slots, however quick its endpoints are", () => {
    const endpoints = Array.from({ length: 5 }, (_, number) => grow(at(`quick-${number}`, "one")));
    const taken = endpoints.map((endpoint) => fill(endpoint).length);
    expect(taken.reduce((sum, one) => sum + one)).toBe(64);
  });

  describe("who has begun a moment's part", () => {
    const perMoment = 20;
    let moments: FakeClock;
    beforeEach(() => {
      moments = createFakeClock();
      lanes = createLanes(clock, 48 * perMoment, moments);
    });
    const begin = (count: number) => {
      for (let n = 0; n < count; n++) take(at(`begun-${n}`, "one")).leave(answered(5));
    };
    /** Turns a request of each of so many endpoints away. */
    const turnAway = (count: number) => {
      for (let n = 0; n < count; n++) expect(lanes.enter(at(`late-${n}`, "one"))).toBeNull();
    };

    test("gets no place in memory, also at a quick endpoint with a request under way", () => {
      take(at("a", "one")).leave(answered(5));
      take(at("a", "one"));
      begin(perMoment - 2);
      expect(lanes.enter(at("a", "one"))).toBeNull();
    });

    test("goes on in the next with as many endpoints as have something left", async () => {
      begin(perMoment);
      turnAway(perMoment + 1);
      const asked: string[] = [];
      lanes.onMoment(({ webhookId }) => {
        asked.push(webhookId);
        return webhookId === `late-${perMoment}`;
      });
      await moments.advance(250);
      expect(asked).toHaveLength(perMoment + 1);
    });

    test("shares the next evenly among those that were turned away", async () => {
      begin(perMoment);
      turnAway(10);
      const rooms: number[] = [];
      lanes.onMoment((endpoint) => {
        rooms.push(lanes.room(endpoint));
        return true;
      });
      await moments.advance(250);
      expect(rooms).toEqual(Array(10).fill(2));
    });
  });

  test("whose requests wait for a slot when a moment's part is used up gets slots in the next moment", async () => {
    const moments = createFakeClock();
    const perMoment = 40;
    lanes = createLanes(clock, 48 * perMoment, moments);
    const a = at("a", "one");
    take(a).leave(answered(5));
    const slots = fill(a);
    const entered: Slot[] = [];
    for (let count = 0; count < 3; count++)
      void Promise.resolve(lanes.enter(a)).then((slot) => slot && entered.push(slot));
    for (let begun = 1 + slots.length; begun < perMoment; begun++) take(at(`${begun}`, "one")).leave(answered(5));
    leave(slots, answered(5));
    await moments.advance(249);
    expect(entered).toHaveLength(0);
    await moments.advance(1);
    expect(entered).toHaveLength(3);
  });

  test("starts only a part of the minute's limit within a moment; in the next one as many of those turned away go on, each in turn", async () => {
    lanes = createLanes(clock, 48 * 25, clock);
    const endpoints = Array.from({ length: 40 }, (_, number) => at(`quick-${number}`, "one"));
    for (const endpoint of endpoints.slice(0, 25)) take(endpoint).leave(answered(5));
    const told: Endpoint[] = [];
    lanes.onMoment((endpoint) => told.push(endpoint) > 0);
    for (const endpoint of endpoints) expect(lanes.enter(endpoint)).toBeNull();
    expect(lanes.room(at("quick-0", "one"))).toBe(0);
    take(at("other"));
    await clock.advance(249);
    expect(told).toEqual([]);
    await clock.advance(1);
    expect(told).toEqual(endpoints.slice(0, 25));
    for (const endpoint of told.splice(0)) take(endpoint).leave(answered(5));
    await clock.advance(250);
    expect(told).toEqual(endpoints.slice(25));
    await clock.advance(1_000);
    expect(told).toHaveLength(15);
  });

  test("starts no more within a minute than the limit; in the next minute it goes on, each endpoint in turn", async () => {
    lanes = createLanes(clock, 10);
    const [a, b] = [at("a", "one"), at("b", "one")];
    for (let count = 0; count < 10; count++) take(a).leave(answered(5));
    expect(lanes.enter(a)).toBeNull();
    expect(lanes.room(b)).toBe(0);
    expect(lanes.turnsAfter(a, everyone)).toEqual([]);
    expect(fill(at("other"))).toHaveLength(4);
    await clock.advance(61_000);
    // Both wait: neither takes the whole share.
    expect(lanes.room(a)).toBeLessThan(10);
    expect(lanes.room(a)).toBeGreaterThan(0);
    expect(lanes.turnsAfter(at("c", "one"), everyone)).toEqual([a, b, at("c", "one")]);
  });
});

describe("the slots that slow endpoints share", () => {
  test("are a share of all slots: many slow endpoints leave slots for the others", () => {
    grow(at("quick"));
    makeSlow(at("late"));
    const [first] = takeShared();
    expect(lanes.enter(at("late"))).toBeNull();
    expect(fill(at("quick"))).toHaveLength(32);
    // Slots that are given back can be taken again.
    first?.leave(hung);
    take(at("late"));
    expect(lanes.enter(at("slow-0"))).toBeNull();
  });

  test("are used by an endpoint that is not known yet", () => {
    const slots = takeShared();
    expect(lanes.enter(at("new"))).toBeNull();
    slots[0]?.leave(hung);
    const slot = take(at("new"));
    // Once it is known to be quick, it no longer uses them.
    slot.leave(answered(5));
    take(at("another"));
    expect(fill(at("new")).length).toBeGreaterThan(0);
  });

  test("are offered no more often than there are slots", () => {
    for (let count = 0; count < 5; count++) take(at("late")).leave(answered(2_000));
    const slots = takeShared();
    expect(lanes.room(at("late"))).toBe(0);
    slots[0]?.leave(hung);
    expect(lanes.room(at("late"))).toBe(1);
  });

  test("go to the endpoint turned away longest ago, then back to the one that released the slot", () => {
    const [first, second, done] = ["first", "second", "done"].map((id) => makeSlow(at(id))) as Endpoint[];
    const slots = takeShared();
    for (const endpoint of [first, done]) expect(lanes.enter(endpoint as Endpoint)).toBeNull();
    expect(lanes.room(second as Endpoint)).toBe(0);
    const wants = ({ webhookId }: Endpoint) => webhookId !== "done";

    slots[0]?.leave(hung);
    expect(lanes.turnsAfter(at("slow-0"), wants)).toEqual([first]);
    const taken = take(first as Endpoint);
    // An endpoint with nothing left to send is skipped.
    slots[1]?.leave(hung);
    expect(lanes.turnsAfter(at("slow-1"), wants)).toEqual([second]);
    take(second as Endpoint);
    taken.leave(hung);
    expect(lanes.turnsAfter(first as Endpoint, wants)).toEqual([at("slow-0")]);
  });

  test("are not offered to others while there is no contention", () => {
    take(makeSlow(at("a"))).leave(hung);
    expect(lanes.turnsAfter(at("a"), everyone)).toEqual([at("a")]);
  });

  test("do not affect a quick endpoint, which always goes on", () => {
    grow(at("quick"));
    makeSlow(at("late"));
    takeShared();
    expect(lanes.enter(at("late"))).toBeNull();
    take(at("quick")).leave(answered(5));
    expect(lanes.turnsAfter(at("quick"), everyone)).toEqual([at("quick")]);
  });
});

test("unused endpoints are forgotten, those with requests under way are not", () => {
  const held = fill(makeSlow(at("held")));
  for (let number = 0; number < 20_010; number++) take(at(`webhook-${number}`)).leave(hung);
  expect(lanes.room(at("held"))).toBe(0);
  leave(held, hung);
  // No longer known: treated as new.
  expect(fill(at("webhook-0"))).toHaveLength(4);
});
