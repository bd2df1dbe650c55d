import { expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { withinDeadline } from "./deadline.ts";
import { createFairQueue, type QueueLimits, TooManyOfCaller } from "./fair-queue.ts";
import { Overloaded } from "./turns.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is told to end, and a list of what has begun. */
function scene(limits: Partial<QueueLimits> = {}) {
  const clock = createFakeClock();
  const enqueue = createFairQueue({ atOnce: 1, perCaller: 3, waiting: 4, ...limits });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return {
    clock,
    begun,
    ask: (caller: string, name: string) => withinDeadline(clock, 1_000, () => enqueue(work(name)), caller),
    async end(name: string) {
      (ends.get(name) ?? expect.unreachable(`${name} does not run`))();
      await settled();
    },
  };
}

test("callers take turns, and each runs one piece of work at a time", async () => {
  const { ask, end, begun } = scene({ atOnce: 2 });
  const all = [ask("a", "a1"), ask("a", "a2"), ask("a", "a3"), ask("b", "b1")];
  await settled();
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1"]);
  for (const name of ["a1", "a2", "a3"]) await end(name);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1"]);
});

test("callers who come back with the next piece as soon as one ends take turns with those who wait", async () => {
  const { ask, end, begun } = scene({ perCaller: 3, waiting: 9 });
  const all = [ask("a", "a1"), ask("x", "x1"), ask("x", "x2"), ask("x", "x3")];
  await settled();
  for (const [at, name] of ["a1", "x1", "a2", "x2", "a3", "x3"].entries()) {
    const running = begun.at(-1) ?? "";
    expect(running).toBe(name);
    await end(running);
    if (running.startsWith("a") && at < 4) all.push(ask("a", `a${at / 2 + 2}`));
    await settled();
  }
  await Promise.all(all);
});

test("the waiting work of one caller and of all callers is limited; finished work no longer counts", async () => {
  const { ask, end } = scene();
  const all = [ask("a", "a1"), ask("a", "a2"), ask("a", "a3")];
  await expect(ask("a", "a4")).rejects.toThrow(TooManyOfCaller);
  all.push(ask("b", "b1"), ask("c", "c1"));
  await expect(ask("d", "d1")).rejects.toThrow(Overloaded);
  await settled();
  for (const name of ["a1", "b1", "c1", "a2", "a3"]) await end(name);
  await Promise.all(all);
  const again = ask("a", "again");
  await settled();
  await end("again");
  expect(await again).toBe("again");
});

test("work that has not begun is given up at its deadline; the next begins", async () => {
  const { ask, end, begun, clock } = scene();
  const first = ask("a", "a1");
  const late = expect(ask("b", "late")).rejects.toThrow();
  const endOfFirst = expect(first).rejects.toThrow();
  await clock.advance(1_000);
  await Promise.all([late, endOfFirst]);
  const next = ask("c", "c1");
  await end("a1");
  await end("c1");
  expect([await next, begun]).toEqual(["c1", ["a1", "c1"]]);
});

test("work that fails makes room for the next", async () => {
  const enqueue = createFairQueue({ atOnce: 1, perCaller: 3, waiting: 4 });
  const fault = new Error("mine");
  const failed = expect(enqueue(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(await enqueue(async () => "done")).toBe("done");
  await failed;
});
