import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../tests/fake-clock.ts";
import { systemClock } from "../../platform/clock.ts";
import { collect } from "./collect.ts";

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
  // Judged now, and again a second later.
  for (const ms of [0, 1_000]) await clock.advance(ms);
  source.push(null);
  expect(await outcome).toBe(expected);
});
