import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycle } from "./find-cycle.ts";
import { criticalPath, makeNetwork, type Timed } from "./network.ts";
import type { Link } from "./shape.ts";

const open = (links: readonly Link[], seconds: readonly number[]): Timed => ({
  network: makeNetwork(seconds.length, links),
  seconds: Float64Array.from(seconds),
  fixedEnd: new Float64Array(seconds.length).fill(Number.NaN),
  over: 0,
});

/** The length of every path through the starts and ends of tasks, from each event, written without regard for cost. */
function longestFrom(links: readonly Link[], seconds: readonly number[], event: string): number {
  const [task, side] = [Number(event.slice(1)), event[0]];
  const steps: { readonly to: string; readonly length: number }[] = [];
  if (side === "s") steps.push({ to: `e${task}`, length: seconds[task] ?? 0 });
  for (const { from, to, type, lag } of links) {
    const leaves = type === "start_to_start" ? "s" : "e";
    if (from === task && side === leaves)
      steps.push({ to: `${type === "finish_to_finish" ? "e" : "s"}${to}`, length: lag });
  }
  return Math.max(0, ...steps.map(({ to, length }) => length + longestFrom(links, seconds, to)));
}

/** The same backwards: how late an event is at the earliest. */
function longestTo(links: readonly Link[], seconds: readonly number[], event: string): number {
  const [task, side] = [Number(event.slice(1)), event[0]];
  const steps: { readonly from: string; readonly length: number }[] = [];
  if (side === "e") steps.push({ from: `s${task}`, length: seconds[task] ?? 0 });
  for (const { from, to, type, lag } of links) {
    const enters = type === "finish_to_finish" ? "e" : "s";
    if (to === task && side === enters)
      steps.push({ from: `${type === "start_to_start" ? "s" : "e"}${from}`, length: lag });
  }
  return Math.max(0, ...steps.map(({ from, length }) => length + longestTo(links, seconds, from)));
}

const networks = fc.integer({ min: 1, max: 7 }).chain((size) =>
  fc.record({
    seconds: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size }),
    links: fc.array(
      fc
        .record({
          ends: fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.integer({ min: 0, max: size - 1 })),
          type: fc.constantFrom("finish_to_start" as const, "start_to_start" as const, "finish_to_finish" as const),
          lag: fc.integer({ min: 0, max: 5 }),
        })
        .map(({ ends: [a, b], type, lag }): Link => ({ from: Math.min(a, b), to: Math.max(a, b), type, lag })),
      { maxLength: 10 },
    ),
  }),
);

describe("the critical path", () => {
  it("is the one that brute force over all paths finds, as is the slack of every task", () => {
    fc.assert(
      fc.property(networks, ({ seconds, links: all }) => {
        const links = all.filter(({ from, to }) => from !== to);
        const { start, end, slack } = criticalPath(open(links, seconds));
        const whole = Math.max(...seconds.map((_, task) => longestTo(links, seconds, `e${task}`)));
        expect(Math.max(...end)).toBe(whole);
        for (const task of seconds.keys()) {
          expect(start[task]).toBe(longestTo(links, seconds, `s${task}`));
          expect(end[task]).toBe(longestTo(links, seconds, `e${task}`));
          const through = (start[task] ?? 0) + longestFrom(links, seconds, `s${task}`);
          expect(slack[task]).toBe(whole - through);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with a calculation by hand: a task that waits for another's end, one beside it, and one that ends with it", () => {
    const links: Link[] = [
      { from: 0, to: 1, type: "finish_to_start", lag: 2 },
      { from: 0, to: 2, type: "start_to_start", lag: 1 },
      { from: 1, to: 3, type: "finish_to_finish", lag: 0 },
    ];
    const { start, end, slack } = criticalPath(open(links, [4, 3, 5, 1]));
    expect([...start]).toEqual([0, 6, 1, 0]);
    // The last begins at once and ends with the second: it lasts longer than its work.
    expect([...end]).toEqual([4, 9, 6, 9]);
    expect([...slack]).toEqual([0, 0, 3, 8]);
  });

  it("is not delayed by done tasks, which keep their end", () => {
    const links: Link[] = [{ from: 0, to: 1, type: "finish_to_start", lag: 1 }];
    const timed = { ...open(links, [4, 3]), fixedEnd: Float64Array.of(6, Number.NaN) };
    const { start, end } = criticalPath(timed);
    expect([...start]).toEqual([2, 7]);
    expect([...end]).toEqual([6, 10]);
  });
});

describe("links in a cycle", () => {
  it.each([
    [["a-a"], [0]],
    [
      ["a-b", "b-a"],
      [0, 1],
    ],
    [
      ["x-a", "a-b", "b-c", "c-a", "c-d"],
      [1, 2, 3],
    ],
    [["a-b", "b-c", "a-c"], null],
    [[], null],
  ])("%j: %j", (links, cycle) => {
    const named = links.map((link) => ({ from: link[0] ?? "", to: link[2] ?? "" }));
    expect(findCycle(named)).toEqual(cycle);
  });

  it("are found exactly if no order of the tasks exists, however long the chain", () => {
    const links = fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), { maxLength: 14 });
    fc.assert(
      fc.property(links, (pairs) => {
        const cycle = findCycle(pairs.map(([from, to]) => ({ from: `${from}`, to: `${to}` })));
        const make = () =>
          makeNetwork(
            9,
            pairs.map(([from, to]) => ({ from, to, type: "finish_to_start", lag: 0 })),
          );
        if (cycle === null) expect(make).not.toThrow();
        else {
          expect(make).toThrow(RangeError);
          const ends = cycle.map((index) => pairs[index] as [number, number]);
          for (const [at, [, to]] of ends.entries()) expect(ends[(at + 1) % ends.length]?.[0]).toBe(to);
        }
      }),
    );
    const chain = Array.from({ length: 5_000 }, (_, index) => ({ from: `${index}`, to: `${(index + 1) % 5_000}` }));
    expect(findCycle(chain)).toHaveLength(5_000);
    expect(findCycle(chain.slice(1))).toBeNull();
  });
});
