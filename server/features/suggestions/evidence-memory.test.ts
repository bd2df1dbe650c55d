import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemory } from "./evidence-memory.ts";

const MOST = 10;
const keys = ["a", "b", "c", "d"];
const step = fc.oneof(
  fc.record({ key: fc.constantFrom(...keys), hold: fc.integer({ min: 1, max: MOST + 3 }) }),
  fc.record({ key: fc.constantFrom(...keys), hold: fc.constant(null) }),
);

test("whatever is used and released, the cached values fit unless all are in use, and values in use stay", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const memory = createMemory<number>(MOST, (bytes) => bytes);
      const inUse = new Map<string, number>();
      for (const { key, hold } of steps) {
        if (hold === null) memory.release(key);
        else memory.hold(key, hold);
        if (hold === null) inUse.delete(key);
        else inUse.set(key, hold);
        for (const [used, bytes] of inUse) expect(memory.find(used)).toBe(bytes);
        const all = keys.filter((one) => memory.find(one) !== undefined);
        const kept = all.filter((one) => Number(memory.find(one)) <= MOST);
        for (const one of all) expect(kept.includes(one) || inUse.has(one)).toBe(true);
        const sum = kept.reduce((bytes, one) => bytes + (memory.find(one) ?? 0), 0);
        expect(sum <= MOST || kept.every((one) => inUse.has(one))).toBe(true);
      }
    }),
  );
});

test("the least recently used value is dropped first, and one that is too large by itself drops nothing else", () => {
  const memory = createMemory<number>(MOST, (bytes) => bytes);
  const use = (key: string, bytes: number) => {
    memory.hold(key, bytes);
    memory.release(key);
  };
  const kept = () => keys.filter((key) => memory.find(key) !== undefined).join("");
  use("a", 4);
  use("b", 4);
  use("a", 4);
  use("c", 2);
  expect(kept()).toBe("abc");
  use("d", 3);
  expect(kept()).toBe("acd");
  memory.drop("d");
  use("b", MOST + 1);
  expect(kept()).toBe("ac");
});
