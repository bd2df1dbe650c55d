import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { systemClock } from "./clock.ts";
import { currentDeadline, DeadlineExceeded, withinDeadline } from "./deadline.ts";

test("work that ends in time returns its result or throws its error, and its deadline passes without effect", async () => {
  const clock = createFakeClock();
  const given: string[] = [];
  const work = async () => {
    currentDeadline()?.whenOver(() => given.push("up"));
    return "done";
  };
  expect(await withinDeadline(clock, 1, work)).toBe("done");
  const fault = new Error("mine");
  await expect(withinDeadline(clock, 1, () => Promise.reject(fault))).rejects.toBe(fault);
  await clock.advance(5);
  expect(given).toEqual([]);
});

test("work that does not end is given up: what it still holds is released, what it released before is not released twice", async () => {
  const clock = createFakeClock();
  const given: string[] = [];
  let deadline: ReturnType<typeof currentDeadline>;
  const work = () => {
    deadline = currentDeadline();
    deadline?.whenOver(() => given.push("held"));
    deadline?.whenOver(() => given.push("let go"))();
    return new Promise<never>(() => {});
  };
  const result = expect(withinDeadline(clock, 1, work)).rejects.toBeInstanceOf(DeadlineExceeded);
  await clock.advance(1);
  await result;
  expect([given, deadline?.isOver]).toEqual([["held"], true]);
});

test("what work held can be freed by the next minor garbage collection once it has ended", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "minor" | "major" }) => void;
  const hold = () => {
    const held = Array.from({ length: 1_000 }, (_, at) => ({ at }));
    return withinDeadline(systemClock, 60_000, async () => held);
  };
  const grownBytes = async () => {
    collect({ type: "major" });
    const before = process.memoryUsage().heapUsed;
    for (let times = 0; times < 20; times += 1) {
      for (let one = 0; one < 50; one += 1) await hold();
      collect({ type: "minor" });
    }
    return process.memoryUsage().heapUsed - before;
  };
  // All of it takes about 30 MB. What is held stays held in every try; one try may grow because the engine moved or compiled.
  const tries: number[] = [];
  for (let times = 0; times < 4; times += 1) tries.push(await grownBytes());
  expect(Math.min(...tries)).toBeLessThan(5_000_000);
});
