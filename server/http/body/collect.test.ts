import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
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
