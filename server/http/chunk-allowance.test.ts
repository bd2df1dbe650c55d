import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { createChunkAllowance } from "./chunk-allowance.ts";

const { smallChunks, smallChunkBytes } = limits;
/** How many of these pieces are allowed before the first that is not. */
const allowed = (pieces: readonly number[], may = createChunkAllowance()) => {
  const at = pieces.findIndex((bytes) => !may(bytes));
  return at === -1 ? pieces.length : at;
};
const times = (count: number, bytes: number) => Array<number>(count).fill(bytes);

test("so many chunks may be small, also after large ones, and no more", () => {
  const may = createChunkAllowance();
  expect(allowed(times(1_000, 64 * 1024), may)).toBe(1_000);
  expect(allowed(times(1_000, 1), may)).toBe(smallChunks);
});

test.each([smallChunkBytes, 4_096])("chunks of %i bytes are unlimited", (bytes) => {
  expect(allowed(times(100_000, bytes))).toBe(100_000);
});

test.each([512, 1_024, 4_096, 16_384])("so are chunks of %i bytes that the network cuts into segments", (bytes) => {
  const pieces: number[] = [];
  for (let at = 0, segment = 1_448; at < 10_000; at += 1)
    for (let left = bytes; left > 0; ) {
      const piece = Math.min(left, segment);
      pieces.push(piece);
      left -= piece;
      // The line before a chunk takes some bytes of a segment, too.
      segment = segment - piece > 8 ? segment - piece - 8 : 1_448;
    }
  expect(allowed(pieces)).toBe(pieces.length);
});

test("chunks that are a little smaller are refused in a large body", () => {
  expect(allowed(times(100_000, smallChunkBytes - 1))).toBeLessThan(100_000);
});
