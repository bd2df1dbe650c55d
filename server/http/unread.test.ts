import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { monotonicMs } from "../platform/clock.ts";
import { discard } from "./unread.ts";

const CHUNK_BYTES = 64 * 1024;
const MEBIBYTE = 1024 * 1024;
/** Of 100 ms each. */
const PERIODS = 10;

test.each([
  [5, 4],
  [20, 1],
])("%i refused bodies are read on at a pace that all of them share", async (bodies, mebibytes) => {
  const began = monotonicMs();
  let bytes = 0;
  const endless = () =>
    new Readable({
      read() {
        bytes += CHUNK_BYTES;
        this.push(Buffer.alloc(CHUNK_BYTES));
      },
    });
  const sources = Array.from({ length: bodies }, endless);
  for (const source of sources) discard(source, Number.POSITIVE_INFINITY);
  for (; monotonicMs() - began < PERIODS * 100; ) await turn();
  const periods = Math.ceil((monotonicMs() - began) / 100) + 1;
  for (const source of sources) source.destroy();
  expect(bytes).toBeGreaterThan(mebibytes * MEBIBYTE);
  // The first period is as for few, and what a body brings before it stops comes on top.
  expect(bytes).toBeLessThan((4 + bodies * 0.25 + periods * mebibytes * 2) * MEBIBYTE);
});
