import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import type { NodeInput, OptionInput } from "../shape.ts";
import { checkStructure } from "./check-structure.ts";
import { breaches, faultAt } from "./faults.ts";

const one = (option: Partial<OptionInput>): NodeInput[] => [
  { title: "Node", kind: "group", options: [{ title: "Option", ...option }] },
];
const faultsOf = (nodes: NodeInput[]) => checkStructure(nodes).map(({ path, message }) => `${path} ${message}`);
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const plainNode = (options: number): NodeInput => ({
  title: "Node",
  kind: "multi",
  options: many(options, (index) => ({ title: `Option ${index}` })),
});

/** `levels` nodes, each below an option of the one before. */
function chain(levels: number): NodeInput[] {
  let nodes: NodeInput[] = [];
  for (let level = 0; level < levels; level += 1) {
    nodes = [{ title: `Level ${level}`, kind: "multi", options: [{ title: "Option", nodes }] }];
  }
  return nodes;
}

describe("the limits of a tree, at and beyond them", () => {
  it("accepts 12 levels and not 13", () => {
    expect(checkStructure(chain(limits.treeDepth))).toEqual([]);
    const path = `${"/nodes/0/options/0".repeat(limits.treeDepth)}/nodes`;
    expect(checkStructure(chain(limits.treeDepth + 1))).toEqual([faultAt(path, breaches.depth)]);
  });

  it("looks no deeper than necessary: 100,000 levels cause neither a stack overflow nor a second fault", () => {
    expect(checkStructure(chain(100_000))).toHaveLength(1);
  });

  it("accepts 2,000 nodes and no more", () => {
    expect(checkStructure(many(limits.treeNodes, () => plainNode(0)))).toEqual([]);
    expect(faultsOf(many(limits.treeNodes + 1, () => plainNode(0)))).toEqual([`/nodes ${breaches.nodes.message}`]);
  });

  it("accepts 200 options per node and no more", () => {
    expect(checkStructure([plainNode(limits.nodeOptions)])).toEqual([]);
    expect(faultsOf([plainNode(0), plainNode(limits.nodeOptions + 1)])).toEqual([
      `/nodes/1/options ${breaches.nodeOptions.message}`,
    ]);
  });

  it("accepts 10,000 options and no more", () => {
    const full = many(limits.treeOptions / limits.nodeOptions, () => plainNode(limits.nodeOptions));
    expect(checkStructure(full)).toEqual([]);
    expect(faultsOf([...full, plainNode(1)])).toEqual([`/nodes ${breaches.options.message}`]);
  });

  it.each([
    [100_000, []],
    [100_000.01, [`/nodes/0/options/0/hours ${breaches.hours.message}`]],
    [-0.01, [`/nodes/0/options/0/hours ${breaches.hours.message}`]],
    [0.01, []],
    [0.001, [`/nodes/0/options/0/hours ${breaches.hours.message}`]],
    [Number.NaN, [`/nodes/0/options/0/hours ${breaches.hours.message}`]],
    [Number.POSITIVE_INFINITY, [`/nodes/0/options/0/hours ${breaches.hours.message}`]],
  ])("accepts %d hours or reports what is wrong", (hours, expected) => {
    expect(faultsOf(one({ hours }))).toEqual(expected);
  });

  it.each([
    [0, true],
    [10_000, true],
    [10_000.01, false],
    [-1, false],
    [2.5, true],
    [0.005, false],
  ])("accepts quantity %d: %s", (quantity, legal) => {
    expect(faultsOf(one({ quantity }))).toEqual(
      legal ? [] : [`/nodes/0/options/0/quantity ${breaches.quantity.message}`],
    );
  });

  it("requires optimistic ≤ likely ≤ pessimistic, in hours and in the override", () => {
    const points = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });
    expect(faultsOf(one({ hours: points(3, 3, 3), override: points(1, 2, 3) }))).toEqual([]);
    expect(faultsOf(one({ hours: points(3, 2.99, 4), override: points(1, 5, 4.99) }))).toEqual([
      `/nodes/0/options/0/hours/likely ${breaches.likely.message}`,
      `/nodes/0/options/0/override/pessimistic ${breaches.pessimistic.message}`,
    ]);
    expect(faultsOf(one({ hours: points(0, 0, 100_000.01) }))).toEqual([
      `/nodes/0/options/0/hours/pessimistic ${breaches.hours.message}`,
    ]);
  });

  it("requires min ≤ max, each from 0 to 200; max may be above the number of options", () => {
    const node = (min: number | null, max: number | null): NodeInput[] => [{ title: "Node", kind: "multi", min, max }];
    for (const [min, max] of [
      [2, 2],
      [0, 200],
      [null, 0],
      [5, null],
    ] as const)
      expect(faultsOf(node(min, max))).toEqual([]);
    expect(faultsOf(node(3, 2))).toEqual([`/nodes/0/max ${breaches.max.message}`]);
    expect(faultsOf(node(-1, 201))).toEqual([
      `/nodes/0/min ${breaches.bound.message}`,
      `/nodes/0/max ${breaches.bound.message}`,
    ]);
    expect(faultsOf(node(0.5, null))).toEqual([`/nodes/0/min ${breaches.bound.message}`]);
  });

  it("accepts at most one selected option in a single-choice node", () => {
    const options = (...selected: boolean[]) => selected.map((value) => ({ title: "Option", selected: value }));
    const faults = (kind: NodeInput["kind"], ...selected: boolean[]) =>
      faultsOf([{ title: "Node", kind, options: options(...selected) }]);
    expect(faults("single", false, true)).toEqual([]);
    expect(faults("single", true, false, true)).toEqual([
      `/nodes/0/options/2/selected ${breaches.oneSelected.message}`,
    ]);
    expect(faults("multi", true, true)).toEqual([]);
  });

  it("accepts at most 10^13 hours with all quantities, counting only the largest option of a single choice", () => {
    const option = { title: "Option", hours: 100_000, quantity: 10_000 };
    const nested = (inner: Partial<OptionInput>, kind: NodeInput["kind"], count = 1): NodeInput[] =>
      one({
        quantity: 10_000,
        nodes: [{ title: "Node", kind, options: many(count, () => ({ ...option, ...inner })) }],
      });
    expect(faultsOf(nested({}, "group"))).toEqual([]);
    expect(faultsOf(nested({}, "single", 5))).toEqual([]);
    expect(faultsOf(nested({}, "multi", 2))).toEqual([`/nodes ${breaches.treeHours.message}`]);
    expect(faultsOf(nested({ hours: 1, override: 0 }, "multi", 2))).toEqual([]);
    expect(faultsOf(nested({ quantity: 0 }, "multi", 2))).toEqual([]);
  });

  it("accepts 20,000 links in all and no more", () => {
    const linked = (count: number): OptionInput => ({
      title: "Option",
      requires: many(count / 2, (n) => `r${n}`),
      excludes: many(count / 2, (n) => `r${n}`),
    });
    const targets = (node: number) => many(100, (n) => ({ title: "Target", ...(node === 0 ? { ref: `r${n}` } : {}) }));
    const tree = (links: number[]): NodeInput[] =>
      many(2, (node) => ({
        title: "Node",
        kind: "multi",
        options: [...targets(node), ...links.slice(node * 100, node * 100 + 100).map(linked)],
      }));
    const full = many(limits.treeLinks / 200, () => 200);
    expect(faultsOf(tree(full))).toEqual([]);
    const one: OptionInput = { title: "One more", requires: ["r0"] };
    const over = tree(full);
    over.push({ title: "Node", kind: "multi", options: [one] });
    expect(faultsOf(over)).toEqual([`/nodes ${breaches.treeLinks.message}`]);
  });

  it("reports each repetition of a link, whether as the same text or as id and ref", () => {
    const options: OptionInput[] = [
      { title: "Target", id: "known", ref: "ref" },
      { title: "Option", requires: ["ref", "known", "ref"], excludes: ["ref", "ref"] },
    ];
    expect(faultsOf([{ title: "Node", kind: "multi", options }])).toEqual([
      `/nodes/0/options/1/requires/2 ${breaches.repeatedLink.message}`,
      `/nodes/0/options/1/excludes/1 ${breaches.repeatedLink.message}`,
      `/nodes/0/options/1/requires/1 ${breaches.repeatedLink.message}`,
    ]);
  });

  it("stops once it has as many faults as it reports", () => {
    let read = 0;
    const nodes = many(
      limits.treeNodes,
      (): NodeInput => ({
        get title() {
          return "Node";
        },
        get min() {
          read += 1;
          return -1;
        },
        kind: "multi",
      }),
    );
    expect(checkStructure(nodes)).toHaveLength(limits.reportedFaults);
    expect(read).toBe(limits.reportedFaults);
  });

  it("reports at most 100 faults", () => {
    expect(checkStructure(many(300, () => ({ title: "Node", kind: "multi", min: 2, max: 1 })))).toHaveLength(100);
  });
});
