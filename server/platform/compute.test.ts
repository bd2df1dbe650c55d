import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { until } from "../../tests/harness.ts";
import { systemClock } from "./clock.ts";
import { createCompute, inTurn, inTurns, NeedsAdmission } from "./compute.ts";
import { currentDeadline, withinDeadline } from "./deadline.ts";
import { GivenUp } from "./fair-queue.ts";

const LARGE = 1024 ** 2;
const folder = await mkdtemp(join(tmpdir(), "compute-"));
afterAll(() => rm(folder, { recursive: true }));
const file = pathToFileURL(join(folder, "functions.mjs"));
await writeFile(
  file,
  `export const double = (value) => 2 * value;
  export const refuse = (message) => { throw new RangeError(message); };
  export const die = () => process.exit(1);
  export const hang = () => { for (;;); };`,
);
const functions = {
  double: (value: number): number => 2 * value,
  refuse: (message: string): void => {
    throw new RangeError(message);
  },
  die: (): void => {},
  hang: (): void => {},
};

function start() {
  const begun: string[] = [];
  const onBegin = (name: string) => void begun.push(name);
  const compute = createCompute({ file, functions, threads: 1, long: ["hang"], onBegin });
  onTestFinished(() => compute.close());
  return { compute, begun };
}

test("a function of much data runs in a worker thread, one of little data here, with the same result", async () => {
  const { compute, begun } = start();
  expect(await compute.run("double", 21, 10)).toBe(42);
  expect(begun).toEqual([]);
  expect(await compute.run("double", 21, LARGE)).toBe(42);
  expect(begun).toEqual(["double"]);
  for (const bytes of [10, LARGE]) await expect(compute.run("refuse", "mine", bytes)).rejects.toThrow(/^mine$/);
});

test("a computation whose worker thread dies is given up, and the next runs in another worker thread", async () => {
  const { compute } = start();
  const fatal = compute.run("die", undefined, LARGE);
  const next = compute.run("double", 1, LARGE);
  await expect(fatal).rejects.toThrow(GivenUp);
  expect(await next).toBe(2);
});

test("a computation ends at its deadline; others continue meanwhile", async () => {
  const { compute, begun } = start();
  const clock = createFakeClock();
  const hanging = withinDeadline(clock, 500, () => compute.run("hang", undefined, LARGE));
  const late = expect(hanging).rejects.toThrow();
  await until(() => begun.length === 1);
  expect(await compute.run("double", 1, LARGE)).toBe(2);
  await clock.advance(500);
  await late;
});

test("steps on much data run one at a time, callers take turns, and each is charged for its own steps", async () => {
  const done: string[] = [];
  const charged: Record<string, number> = {};
  function* steps(caller: string): Generator<void, string> {
    for (let step = 1; step <= 3; step += 1) {
      done.push(`${caller}${step}`);
      const end = performance.now() + 2;
      while (performance.now() < end);
      yield;
    }
    return caller;
  }
  const work = (caller: string, bytes: number) =>
    withinDeadline(
      systemClock,
      60_000,
      async (deadline) => {
        deadline.leave = () => {};
        const result = await inTurns(bytes, steps(caller));
        charged[caller] = currentDeadline()?.computedMs ?? 0;
        return result;
      },
      caller,
    );
  expect(await Promise.all([work("a", LARGE), work("b", LARGE)])).toEqual(["a", "b"]);
  expect(done).toEqual(["a1", "b1", "a2", "b2", "a3", "b3"]);
  expect(charged.a).toBeGreaterThanOrEqual(6);
  await work("c", 10);
  expect(charged.c).toBe(0);
});

test("work on much data is refused before it begins if the request was not admitted", async () => {
  const { compute, begun } = start();
  const asked = <R>(work: () => R | Promise<R>) => withinDeadline(systemClock, 60_000, async () => work(), "a");
  const step = () => expect.unreachable();
  await expect(asked(() => inTurn(LARGE, step))).rejects.toThrow(NeedsAdmission);
  await expect(asked(() => compute.run("double", 1, LARGE))).rejects.toThrow(NeedsAdmission);
  expect(begun).toEqual([]);
  expect(await asked(() => inTurn(10, () => "done"))).toBe("done");
});

test("a step that fails rejects, and the next runs", async () => {
  const fault = new Error("mine");
  const failing = () => {
    throw fault;
  };
  await expect(Promise.resolve(inTurn(LARGE, failing))).rejects.toBe(fault);
  expect(await inTurn(LARGE, () => "done")).toBe("done");
});

test("a long computation lets others be admitted in its place before it waits for its turn; a usual one does not", async () => {
  const { compute } = start();
  const clock = createFakeClock();
  const left: string[] = [];
  const run = (name: "double" | "hang") =>
    withinDeadline(clock, 1_000, (deadline) => {
      deadline.leave = () => void left.push(name);
      return compute.run(name, 1 as never, LARGE);
    });
  await run("double");
  expect(left).toEqual([]);
  const hanging = expect(run("hang")).rejects.toThrow();
  expect(left).toEqual(["hang"]);
  await clock.advance(1_000);
  await hanging;
});
