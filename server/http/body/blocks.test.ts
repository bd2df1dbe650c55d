import { getHeapStatistics } from "node:v8";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBlocks, free, join } from "./blocks.ts";
import { unpark } from "./parking.ts";

const partOf = (bytes: readonly number[]) => new Uint8Array(bytes);

describe("the blocks of a body", () => {
  test("hold the bytes of all parts in their order, and the parts are freed", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1 })), (bodies) => {
        const blocks = createBlocks();
        const parts = bodies.map(partOf);
        for (const part of parts) blocks.add(part);
        expect(blocks.size()).toBe(bodies.flat().length);
        expect([...join(blocks.take())]).toEqual(bodies.flat());
        expect(parts.every(({ length }) => parts.length === 1 || length === 0)).toBe(true);
      }),
    );
  });

  test("are freed when they are dropped, and do not wait for garbage to be collected", () => {
    const one = new Uint8Array(10);
    const single = createBlocks();
    single.add(one);
    single.drop();
    expect(one.buffer.byteLength).toBe(0);

    const before = process.memoryUsage().arrayBuffers;
    for (let body = 0; body < 100; body += 1) {
      const blocks = createBlocks();
      for (const _ of [1, 2]) blocks.add(new Uint8Array(450 * 1024));
      blocks.drop();
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 1024 * 1024);
  });

  test("are few, of at most 1 MiB each, and can be moved", () => {
    const blocks = createBlocks();
    for (let at = 0; at < 80; at += 1) blocks.add(new Uint8Array(64 * 1024).fill(at));
    const taken = blocks.take();
    expect(taken.length).toBeLessThan(12);
    expect(Math.max(...taken.map(({ buffer }) => buffer.byteLength))).toBe(1024 * 1024);
    const moved = structuredClone(taken, { transfer: taken.map(({ buffer }) => buffer) });
    expect(taken.every(({ length }) => length === 0)).toBe(true);
    const joined = join(moved);
    expect([joined.length, joined[0], joined.at(-1)]).toEqual([80 * 64 * 1024, 0, 79]);
  });
});

describe("parked blocks", () => {
  test("hold the bytes in their order, whatever was full before the end", () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1 }), fc.nat(50), (parts, parkedAbove) => {
        const blocks = createBlocks(parkedAbove);
        for (const part of parts) blocks.add(partOf(part));
        expect([...join(unpark(blocks.park()))]).toEqual(parts.flat());
      }),
    );
  });

  const MEBIBYTE = 1024 * 1024;
  /** Bytes that V8 counts for this thread because of a body of 16 MiB. */
  const countedFor = (parkedAbove?: number) => {
    const before = getHeapStatistics().external_memory;
    const blocks = createBlocks(parkedAbove);
    for (let at = 0; at < 256; at += 1) blocks.add(new Uint8Array(64 * 1024));
    const counted = getHeapStatistics().external_memory - before;
    blocks.drop();
    return counted;
  };

  test("do not count for the thread that reads the body, and others do", () => {
    expect(countedFor(128 * 1024)).toBeLessThan(3 * MEBIBYTE);
    expect(countedFor()).toBeGreaterThan(8 * MEBIBYTE);
  });
});

test("memory that holds more than one part is not freed", () => {
  const shared = new Uint8Array(8);
  free(shared.subarray(0, 4));
  expect(shared.length).toBe(8);
  free(shared);
  expect(shared.length).toBe(0);
});
