import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import type { NodeInput, OptionInput } from "../shape.ts";
import { checkStructure } from "./check-structure.ts";
import { breaches } from "./faults.ts";

const faultsOf = (nodes: NodeInput[]) => checkStructure(nodes).map(({ path, message }) => `${path} ${message}`);
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe("ids and links", () => {
  const option = (fields: Partial<OptionInput>): OptionInput => ({ title: "Option", ...fields });
  const group = (...options: OptionInput[]): NodeInput[] => [{ title: "Node", kind: "group", options }];
  const at = (index: number, rest: string) => `/nodes/0/options/${index}/${rest}`;

  it("accepts each id only once, for nodes and options together", () => {
    expect(faultsOf(group(option({ id: "a" }), option({ id: "a" })))).toEqual([
      at(1, `id ${breaches.repeatedId.message}`),
    ]);
    const nodes: NodeInput[] = [{ id: "a", title: "Node", kind: "group", options: [option({ id: "a" })] }];
    expect(faultsOf(nodes)).toEqual([at(0, `id ${breaches.repeatedId.message}`)]);
  });

  it("accepts each ref for only one option, and none that is an id", () => {
    expect(faultsOf(group(option({ ref: "a" }), option({ ref: "a" })))).toEqual([
      at(1, `ref ${breaches.repeatedRef.message}`),
    ]);
    expect(faultsOf(group(option({ id: "a" }), option({ ref: "a" })))).toEqual([
      at(1, `ref ${breaches.repeatedRef.message}`),
    ]);
    expect(faultsOf(group(option({ ref: "a" }), option({ id: "a" })))).toEqual([
      at(1, `id ${breaches.repeatedRef.message}`),
    ]);
  });

  it("links only options of the tree, forwards and backwards", () => {
    expect(faultsOf(group(option({ ref: "a", requires: ["b"] }), option({ id: "b", excludes: ["a"] })))).toEqual([]);
    expect(faultsOf(group(option({ requires: ["gone"] }), option({ excludes: ["gone"] })))).toEqual([
      at(0, `requires/0 ${breaches.unknownLink.message}`),
      at(1, `excludes/0 ${breaches.unknownLink.message}`),
    ]);
    const node: NodeInput = { id: "n", title: "Node", kind: "group", options: [option({ requires: ["n"] })] };
    expect(faultsOf([node])).toEqual([at(0, `requires/0 ${breaches.unknownLink.message}`)]);
  });

  it("links no option to itself or twice to another", () => {
    expect(faultsOf(group(option({ ref: "a", requires: ["a"], excludes: ["a"] })))).toEqual([
      at(0, `excludes/0 ${breaches.ownLink.message}`),
      at(0, `requires/0 ${breaches.ownLink.message}`),
    ]);
    expect(faultsOf(group(option({ requires: ["b", "b"] }), option({ id: "b", ref: "c" })))).toEqual([
      at(0, `requires/1 ${breaches.repeatedLink.message}`),
    ]);
    expect(faultsOf(group(option({ excludes: ["b", "c"] }), option({ id: "b", ref: "c" })))).toEqual([
      at(0, `excludes/1 ${breaches.repeatedLink.message}`),
    ]);
  });

  it("accepts 200 links of a kind and no more", () => {
    const targets = many(200, (index) => option({ ref: `t${index}` }));
    const names = targets.map(({ ref = "" }) => ref);
    const source = (requires: string[]): NodeInput => ({ title: "N", kind: "group", options: [option({ requires })] });
    const extra: NodeInput = { title: "N", kind: "group", options: [option({ ref: "extra" })] };
    expect(faultsOf([...group(...targets), source(names), extra])).toEqual([]);
    expect(faultsOf([...group(...targets), source([...names, "extra"]), extra])).toEqual([
      `/nodes/1/options/0/requires ${breaches.links.message}`,
    ]);
  });

  it("finds the link that closes a cycle of requirements; exclusions may be mutual", () => {
    const cycle = group(
      option({ ref: "a", requires: ["b"] }),
      option({ ref: "b", requires: ["c"] }),
      option({ ref: "c", requires: ["a"] }),
      option({ requires: ["a"] }),
    );
    expect(faultsOf(cycle)).toEqual([at(2, `requires/0 ${breaches.cycle.message}`)]);
    expect(faultsOf(group(option({ ref: "a", excludes: ["b"] }), option({ ref: "b", excludes: ["a"] })))).toEqual([]);
    const diamond = group(
      option({ requires: ["b", "c"] }),
      option({ ref: "b", requires: ["d"] }),
      option({ ref: "c", requires: ["d"] }),
      option({ ref: "d" }),
    );
    expect(faultsOf(diamond)).toEqual([]);
  });

  it("lets an option require one above or below it", () => {
    const above = group(
      option({ ref: "a", nodes: [{ title: "Node", kind: "multi", options: [option({ requires: ["a"] })] }] }),
    );
    const below = group(
      option({ requires: ["b"], nodes: [{ title: "Node", kind: "multi", options: [option({ ref: "b" })] }] }),
    );
    expect(faultsOf(above)).toEqual([]);
    expect(faultsOf(below)).toEqual([]);
  });

  it("follows a chain of requirements as long as a tree may have options", () => {
    const size = limits.treeOptions;
    const nodes = many(size / limits.nodeOptions, (nodeIndex) => ({
      title: "Node",
      kind: "multi" as const,
      options: many(limits.nodeOptions, (index) => {
        const place = nodeIndex * limits.nodeOptions + index;
        return option({ ref: `r${place}`, requires: place + 1 < size ? [`r${place + 1}`] : [] });
      }),
    }));
    expect(checkStructure(nodes)).toEqual([]);
    const last = nodes.at(-1)?.options.at(-1);
    if (last) last.requires = ["r0"];
    expect(faultsOf(nodes)).toEqual([`/nodes/49/options/199/requires/0 ${breaches.cycle.message}`]);
  });
});
