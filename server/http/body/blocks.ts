import { createParking, type Parked, type Parking } from "./parking.ts";

/** Blocks grow with the body, up to this. */
const BLOCK_BYTES = 1024 * 1024;

/** The bytes of a body while it arrives. */
export interface Blocks {
  readonly size: () => number;
  /** Adds a part. Its memory may be freed, so nothing else may read it afterwards. */
  add(part: Uint8Array<ArrayBuffer>): void;
  /** Returns the bytes in their order, if none were parked. */
  take(): Uint8Array<ArrayBuffer>[];
  /** Parks the rest of the bytes and returns all of them. */
  park(): Parked;
  /** Frees all of them. */
  drop(): void;
}

/**
 * Collects the parts of a body in few blocks. Node.js hands over each part in memory of its own, which V8 counts: for
 * every 64 MiB of it V8 would collect all garbage of the process, which takes some 40 ms each time. So parts are
 * copied, and freed at once. A body of one part, as most are, is kept without copying. Full blocks of a body of more
 * than `parkedAbove` bytes are parked for the thread that it is meant for, so that V8 does not count them here while
 * the body arrives and waits.
 */
export function createBlocks(parkedAbove = Number.POSITIVE_INFINITY): Blocks {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let only: Uint8Array<ArrayBuffer> | null = null;
  let used = 0;
  let size = 0;
  let parking: Parking | null = null;

  const parkAll = (full: Uint8Array<ArrayBuffer>[]) => {
    parking ??= createParking();
    for (const block of full) parking.put(block);
  };
  const copy = (part: Uint8Array<ArrayBuffer>) => {
    for (let at = 0; at < part.length; ) {
      let block = blocks.at(-1);
      if (!block || used === block.length) {
        if (size > parkedAbove) parkAll(blocks.splice(0));
        block = new Uint8Array(Math.min(BLOCK_BYTES, Math.max(part.length - at, size)));
        blocks.push(block);
        used = 0;
      }
      const count = Math.min(part.length - at, block.length - used);
      block.set(part.subarray(at, at + count), used);
      used += count;
      at += count;
    }
    free(part);
  };

  return {
    size: () => size,
    add(part) {
      const { length } = part;
      if (size === 0) only = part;
      else {
        if (only) copy(only);
        only = null;
        copy(part);
      }
      size += length;
    },
    take() {
      if (only) return [only];
      const last = blocks.pop();
      return last ? [...blocks, last.subarray(0, used)] : [];
    },
    park() {
      if (only) copy(only);
      only = null;
      const last = blocks.pop();
      parkAll(last ? [...blocks, last.subarray(0, used)] : []);
      return (parking as Parking).hand();
    },
    drop() {
      parking?.hand().port.close();
      for (const block of only ? [only] : blocks) free(block);
      only = null;
      blocks.length = 0;
    },
  };
}

/** Frees the memory of a part now, if nothing else is in it, instead of at the next collection of garbage. */
export function free({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Joins blocks, and frees them. */
export function join(blocks: readonly Uint8Array<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const [first] = blocks;
  if (blocks.length === 1 && first) return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  const joined = Buffer.concat(blocks);
  for (const block of blocks) free(block);
  return joined;
}
