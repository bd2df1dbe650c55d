import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { createFakeClock } from "../../../tests/fake-clock.ts";
import { systemClock } from "../../platform/clock.ts";
import { collect, silenceLeft } from "./collect.ts";

const PART_BYTES = 64 * 1024;
const BODY_BYTES = 8 * 1024 * 1024;
const BODIES = 8;

test("of large bodies that arrive together only a part is taken in a turn of the event loop", async () => {
  let taken = 0;
  const bodyOf = () => {
    let left = BODY_BYTES / PART_BYTES;
    return new Readable({
      read() {
        left -= 1;
        this.push(left < 0 ? null : Buffer.alloc(PART_BYTES));
      },
    });
  };
  const collecting = {
    limitBytes: BODY_BYTES,
    announcedBytes: BODY_BYTES,
    pace: { graceMs: 60_000, bytesPerSecond: 1 },
    clock: systemClock,
    look: (part: Buffer) => {
      taken += part.length;
    },
  };
  const all = Promise.all(Array.from({ length: BODIES }, () => collect(bodyOf(), collecting)));
  let most = 0;
  for (let before = 0; taken < BODIES * BODY_BYTES; before = taken) {
    await turn();
    most = Math.max(most, taken - before);
  }
  for (const blocks of await all) expect(blocks.size()).toBe(BODY_BYTES);
  // 256 KiB, and a part of each of the others.
  expect(most).toBeLessThanOrEqual(256 * 1024 + BODIES * PART_BYTES);
  expect(most).toBeGreaterThanOrEqual(256 * 1024);
});

test.each([
  ["accepted at the least rate or above", 1, "accepted"],
  ["refused below it", 1e12, "request_timeout"],
])("after its time of grace a body is %s", async (_, bytesPerSecond, expected) => {
  const clock = createFakeClock();
  const source = new Readable({ read() {} });
  const collecting = {
    limitBytes: BODY_BYTES,
    announcedBytes: BODY_BYTES,
    pace: { graceMs: 0, bytesPerSecond },
    clock,
    look: () => {},
  };
  const outcome = collect(source, collecting).then(
    () => "accepted",
    ({ key }) => key,
  );
  source.push(Buffer.alloc(PART_BYTES));
  while (source.readableLength > 0) await turn();
  for (const ms of [1_000, 1_000]) await clock.advance(ms);
  source.push(null);
  expect(await outcome).toBe(expected);
});

test("bodies that begin together and stay silent are refused one after the other, all within a second", async () => {
  const clock = createFakeClock();
  let nowMs = 0;
  let refused = 0;
  const bodies = Array.from({ length: 200 }, () =>
    collect(new Readable({ read() {} }), {
      limitBytes: BODY_BYTES,
      announcedBytes: BODY_BYTES,
      pace: { graceMs: 3_000, bytesPerSecond: 1_000 },
      clock,
      look: () => {},
      nowMs: () => nowMs,
    }).catch(({ key }) => {
      refused += 1;
      return key;
    }),
  );
  let most = 0;
  for (let before = 0; nowMs < 4_100; before = refused) {
    nowMs += 100;
    await clock.advance(100);
    await turn();
    if (nowMs <= 3_000) expect(refused).toBe(0);
    most = Math.max(most, refused - before);
  }
  expect(new Set(await Promise.all(bodies))).toEqual(new Set(["request_timeout"]));
  expect(most).toBeLessThan(100);
});

test("a body that was fast may be silent as long as another, and no longer", () => {
  const pace = { graceMs: 10_000, bytesPerSecond: 1_000 };
  const judge = (leftMs: number, bytes: number) => silenceLeft(leftMs, 1_000, bytes, pace);
  expect(judge(10_000, 16 * 1024 * 1024)).toBe(10_000);
  let leftMs = 10_000;
  for (let second = 1; second <= 10; second += 1) leftMs = judge(leftMs, 0);
  expect(leftMs).toBe(0);
  expect(judge(leftMs, 999)).toBeLessThan(0);
  expect(judge(leftMs, 1_000)).toBe(0);
  // The process was suspended for an hour.
  expect(silenceLeft(10_000, 3_600_000, 0, pace)).toBe(8_000);
});

test("a body is refused while it arrives with the reason of an aborted signal, and not afterwards", async () => {
  for (const isOver of [false, true]) {
    const [source, giving] = [new Readable({ read() {} }), new AbortController()];
    const collecting = {
      limitBytes: BODY_BYTES,
      announcedBytes: BODY_BYTES,
      pace: { graceMs: 60_000, bytesPerSecond: 1 },
      clock: createFakeClock(),
      look: () => {},
      signal: giving.signal,
    };
    const outcome = collect(source, collecting).then(
      (blocks) => blocks.size(),
      (error) => error.message,
    );
    source.push(Buffer.alloc(PART_BYTES));
    while (source.readableLength > 0) await turn();
    if (isOver) {
      source.push(null);
      await outcome;
    }
    giving.abort(new Error("no room"));
    expect(await outcome).toBe(isOver ? PART_BYTES : "no room");
  }
});

const steady = { pace: { graceMs: 60_000, bytesPerSecond: 1 }, clock: systemClock, look: () => {} };

/** Collects a body of parts; the number of bytes or why it was refused, and how many parts were asked for. */
async function outcomeOf(parts: readonly Buffer[], { announcedBytes = Number.NaN, limitBytes = BODY_BYTES }) {
  let asked = 0;
  const source = new Readable({
    highWaterMark: 1,
    read() {
      this.push(parts[asked] ?? null);
      asked += 1;
    },
  });
  const outcome = await collect(source, { ...steady, limitBytes, announcedBytes }).then(
    (blocks) => blocks.size(),
    ({ key, hint }) => ({ key, hint }),
  );
  for (let turns = 0; turns < 10; turns += 1) await turn();
  return { outcome, asked };
}

const partsOf = (count: number, bytes: number) => Array.from({ length: count }, () => Buffer.alloc(bytes));

test("a body may have few small chunks, and no more are read than that", async () => {
  const { smallChunks, smallChunkBytes } = limits;
  expect((await outcomeOf(partsOf(smallChunks, 1), {})).outcome).toBe(smallChunks);
  const { outcome, asked } = await outcomeOf(partsOf(2 * smallChunks, 1), {});
  expect(outcome).toEqual({ key: "payload_too_large", hint: expect.stringContaining("Send larger chunks") });
  expect([1, 2, 3].map((more) => smallChunks + more)).toContain(asked);
  expect((await outcomeOf(partsOf(smallChunks + 1, 1), {})).outcome).toMatchObject({ key: "payload_too_large" });
  const large = 2 * smallChunks;
  expect((await outcomeOf(partsOf(large, smallChunkBytes), {})).outcome).toBe(large * smallChunkBytes);
  // With a length, the parts are what the network makes of it.
  expect((await outcomeOf(partsOf(large, 1), { announcedBytes: large, limitBytes: large })).outcome).toBe(large);
});

test("of small chunks no more are taken in a turn of the event loop than of large ones", async () => {
  let [most, inTurn] = [0, 0];
  const look = () => {
    if (inTurn === 0)
      setImmediate(() => {
        inTurn = 0;
      });
    inTurn += 1;
    most = Math.max(most, inTurn);
  };
  const sources = Array.from({ length: 4 }, () => new Readable({ read() {} }));
  const collecting = { ...steady, limitBytes: BODY_BYTES, announcedBytes: Number.NaN, look };
  const all = sources.map((source) => collect(source, collecting));
  for (const source of sources) for (let part = 0; part < limits.smallChunks; part += 1) source.push(Buffer.alloc(1));
  for (const source of sources) source.push(null);
  for (const { size } of await Promise.all(all)) expect(size()).toBe(limits.smallChunks);
  expect(most).toBeLessThanOrEqual((256 * 1024) / limits.smallChunkBytes + sources.length);
});

test("a body that was fast is refused once it has been silent for its time of grace, and not before", async () => {
  const clock = createFakeClock();
  const begunMs = clock.now().getTime();
  const outcomeAfter = async (silentSeconds: number) => {
    const source = new Readable({ read() {} });
    const pace = { graceMs: 10_000, bytesPerSecond: 1_000 };
    const nowMs = () => clock.now().getTime() - begunMs;
    const collecting = { ...steady, limitBytes: BODY_BYTES, announcedBytes: BODY_BYTES, pace, clock, nowMs };
    const outcome = collect(source, collecting).then(
      () => "accepted",
      ({ key }) => key,
    );
    for (const _ of [1, 2]) {
      source.push(Buffer.alloc(PART_BYTES));
      while (source.readableLength > 0) await turn();
      await clock.advance(1_000);
    }
    for (let second = 0; second < silentSeconds; second += 1) await clock.advance(1_000);
    source.push(null);
    return outcome;
  };
  expect(await outcomeAfter(10)).toBe("accepted");
  expect(await outcomeAfter(11)).toBe("request_timeout");
});

test("a body counts as complete from its last byte on, before anything else can happen", async () => {
  const source = new Readable({ read() {} });
  const seen: string[] = [];
  const onEnd = () => void seen.push("complete");
  const collected = collect(source, { ...steady, limitBytes: BODY_BYTES, announcedBytes: 1, onEnd });
  source.on("end", () => seen.push("end"));
  source.push(Buffer.alloc(1));
  source.push(null);
  await collected;
  expect(seen).toEqual(["complete", "end"]);
});
