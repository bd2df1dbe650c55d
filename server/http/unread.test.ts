import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { monotonicMs } from "../platform/clock.ts";
import { discard } from "./unread.ts";

const CHUNK = Buffer.alloc(64 * 1024);
const MEBIBYTE = 1024 * 1024;

test("refused bodies are read on at a pace that all of them share", async () => {
  const began = monotonicMs();
  let bytes = 0;
  const endless = () =>
    new Readable({
      read() {
        bytes += CHUNK.length;
        this.push(CHUNK);
      },
    });
  const sources = Array.from({ length: 20 }, endless);
  for (const source of sources) discard(source, Number.POSITIVE_INFINITY);
  for (let n = 0; n < 2_000; n += 1) await turn();
  const periods = Math.ceil((monotonicMs() - began) / 100) + 1;
  for (const source of sources) source.destroy();
  expect(bytes).toBeGreaterThan(4 * MEBIBYTE);
  // What a body brings before it stops comes on top of a period's bytes.
  expect(bytes).toBeLessThan(periods * (4 + sources.length * 0.25) * MEBIBYTE);
});
