import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import type { Node } from "../tree/shape.ts";
import { snapshotPairs } from "../versions/testing/snapshots.ts";
import { type Counted, waterfall } from "./waterfall.ts";

const root = (id: string, ...hours: number[]): Node =>
  ({
    id,
    title: `Title of ${id}`,
    kind: "group",
    options: hours.map((likely, at) => ({
      ...{ id: `${id}${at}`, title: "", selected: false, quantity: 1, nodes: [] },
      hours: { optimistic: likely / 2, likely, pessimistic: likely * 2 },
    })),
  }) as unknown as Node;
const content = (correlation: number, ...nodes: Node[]): Counted => ({ tree: { nodes }, correlation });
const hundredths = (hours: number): number => Math.round(hours * 100);

describe("a waterfall", () => {
  it("has a step for each root node that changes the hours, in order, then the correlation", () => {
    const from = content(0.2, root("gone", 4), root("same", 10), root("changed", 8));
    const to = content(0.6, root("added", 20), root("changed", 12), root("same", 10));
    const { before, after, steps } = waterfall(from, to);
    expect(steps.map(({ nodeId, title, expected }) => [nodeId, title, expected])).toEqual([
      ["added", "Title of added", 21.67],
      ["changed", "Title of changed", 4.33],
      ["gone", "Title of gone", -4.33],
      [null, null, 0],
    ]);
    expect(steps.at(-1)?.p80).toBeGreaterThan(0);
    expect([before.expected, after.expected]).toEqual([23.83, 45.5]);
  });

  it("of what differs in nothing that counts has no step", () => {
    const same = content(0.2, root("one", 5), root("two", 3));
    expect(waterfall(same, content(0.2, root("two", 3), root("one", 5))).steps).toEqual([]);
    expect(waterfall(content(0.2), content(0.9)).steps).toEqual([]);
  });

  it("adds up, of the expected hours and of the P80, and ends where the roll-ups are", () => {
    fc.assert(
      fc.property(snapshotPairs, ([from, to]) => {
        const { before, after, steps } = waterfall(from, to);
        const [first, last] = [from, to].map((one) => summaryHours(one.tree, one));
        for (const name of ["expected", "p80"] as const) {
          expect([before[name], after[name]]).toEqual([first?.[name], last?.[name]]);
          const sum = steps.reduce((total, step) => total + hundredths(step[name]), hundredths(before[name]));
          expect(sum).toBe(hundredths(after[name]));
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
