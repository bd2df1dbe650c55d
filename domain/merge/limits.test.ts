import { describe, expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { checkStructure } from "../tree/check/check-structure.ts";
import type { Node, Option } from "../tree/shape.ts";
import type { Snapshot } from "../versions/shape.ts";
import { merge } from "./merge.ts";
import { snapshotOf, tryMerge } from "./testing/scene.ts";

const option = (id: string, fields: Partial<Option> = {}): Option => ({
  ...{ id, title: id, description: "", hours: null, override: null, quantity: 1, unit: null, role: null },
  ...{ requires: [], excludes: [], selected: false, nodes: [] },
  ...fields,
});
const node = (id: string, options: Option[]): Node => ({
  ...{ id, title: id, description: "", kind: "multi", required: false, min: null, max: null, options },
});
const many = (prefix: string, count: number, fields?: Partial<Option>): Option[] =>
  Array.from({ length: count }, (_, at) => option(`${prefix}${at}`, fields));
const points = (hours: number) => ({ optimistic: hours, likely: hours, pessimistic: hours });

/** A legal snapshot with these nodes. */
function legal(nodes: Node[]): Snapshot {
  expect(checkStructure(nodes)).toEqual([]);
  return snapshotOf({ nodes });
}

/** Both sides are merged at the limit; with `beyond` instead of `from`, only a whole tree can be chosen. */
function expectLimit(base: Node[], sides: { into: Node[]; from: Node[]; beyond: Node[] }, message: RegExp): void {
  const [start, into, from, beyond] = [base, sides.into, sides.from, sides.beyond].map(legal) as [
    ...[Snapshot, Snapshot, Snapshot, Snapshot],
  ];
  const merged = tryMerge(start, into, from).snapshot;
  expect(checkStructure(merged?.tree.nodes ?? [])).toEqual([]);
  expect([merged?.tree.nodes, into.tree.nodes, from.tree.nodes].map((nodes) => JSON.stringify(nodes).length)).toSatisfy(
    ([both, ...one]: number[]) => one.every((length) => Number(both) > length),
  );
  const { conflicts } = tryMerge(start, into, beyond);
  expect(conflicts).toMatchObject([
    { kind: "structure", thingId: null, rule: { message: expect.stringMatching(message) } },
  ]);
  for (const side of ["into", "from"] as const) {
    const decided = tryMerge(start, into, beyond, [{ id: String(conflicts[0]?.id), side }]).snapshot;
    expect(decided?.tree).toEqual((side === "into" ? into : beyond).tree);
  }
}

describe("a limit that both sides reach only together", () => {
  test("options of the tree", () => {
    const full = Array.from({ length: 50 }, (_, at) => node(`n${at}`, many(`n${at}-`, limits.nodeOptions - 1)));
    const rest = limits.treeOptions - 2 - 50 * (limits.nodeOptions - 1);
    const tree = (...added: string[]) => [
      ...full,
      node("rest", [...many("rest-", rest), ...added.map((id) => option(id))]),
    ];
    const sides = { into: tree("mine"), from: tree("theirs"), beyond: tree("theirs", "more") };
    expectLimit(tree(), sides, /options/);
  });

  test("links of the tree", () => {
    const [targets, sources] = [many("t", limits.optionLinks), limits.treeLinks / limits.optionLinks];
    const all = targets.map(({ id }) => id);
    /** So many links of the first option, and of the second; all others have as many as may be. */
    const tree = (first: number, second: number) => [
      node("targets", targets),
      node(
        "sources",
        many("s", sources).map((one, at) => ({ ...one, excludes: all.slice(0, [first, second][at] ?? all.length) })),
      ),
      node("more", [option("another", { excludes: [] })]),
    ];
    const most = limits.optionLinks;
    const beyond = tree(most - 1, most).map((one) =>
      one.id === "more" ? node("more", [option("another", { excludes: ["t0"] })]) : one,
    );
    expectLimit(
      tree(most - 1, most - 1),
      { into: tree(most, most - 1), from: tree(most - 1, most), beyond },
      /requires/,
    );
  });

  test("hours of the tree", () => {
    const tree = (above: number, below: number, more: Option[] = []) => [
      node("above", [
        option("parent", {
          quantity: above,
          nodes: [node("below", [option("child", { quantity: below, hours: points(limits.optionHoursMax) })])],
        }),
        ...more,
      ]),
    ];
    const most = limits.quantityMax;
    expect(most * most * limits.optionHoursMax).toBe(limits.treeHoursMax);
    const sides = {
      into: tree(most, 1),
      from: tree(1, most),
      beyond: tree(1, most, [option("more", { hours: points(1) })]),
    };
    expectLimit(tree(1, 1), sides, /hours/);
  });
});

test(`at most ${limits.reportedProblems} conflicts are reported; the others show once these are decided`, () => {
  const tree = (count: number, hours: number): Snapshot =>
    legal(
      Array.from({ length: Math.ceil(count / 100) }, (_, at) =>
        node(`n${at}`, many(`n${at}-`, Math.min(100, count - at * 100), { hours: points(hours) })),
      ),
    );
  const conflictsOf = (count: number, resolutions: Parameters<typeof merge>[1] = []) => {
    const result = merge({ bases: [tree(count, 1)], into: tree(count, 2), from: tree(count, 3) }, resolutions);
    return "conflicts" in result ? (result.conflicts ?? []) : [];
  };
  const most = limits.reportedProblems;
  expect(conflictsOf(most)).toHaveLength(most);
  const reported = conflictsOf(most + 1);
  expect(reported).toHaveLength(most);
  const resolutions = reported.map(({ id }) => ({ id, side: "from" as const }));
  const [last, ...others] = conflictsOf(most + 1, resolutions);
  expect(others).toEqual([]);
  expect(conflictsOf(most + 1, [...resolutions, { id: String(last?.id), side: "from" }])).toEqual([]);
});
