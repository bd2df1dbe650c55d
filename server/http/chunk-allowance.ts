import { limits } from "../../contract/limits.ts";

/**
 * Returns how to count the chunks of a body, or of several: called with the bytes of each, it returns whether the sender may
 * send that one too. Each costs `smallChunkBytes`, which its own bytes make up for; `smallChunks` may be ahead of them. So
 * chunks of that size are unlimited, also where the network cuts them into more pieces, and nobody can save up for more small
 * ones at once.
 */
export function createChunkAllowance(): (bytes: number) => boolean {
  const most = limits.smallChunks * limits.smallChunkBytes;
  let left = most;
  return (bytes) => {
    left = Math.min(most, left + bytes - limits.smallChunkBytes);
    return left >= limits.smallChunkBytes;
  };
}
