import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsOf, type Node, type Option, type Tree } from "../tree/shape.ts";
import { diff } from "../versions/diff.ts";
import type { Snapshot } from "../versions/shape.ts";
import { snapshotPairs } from "../versions/testing/snapshots.ts";
import { matchTree } from "./match-trees.ts";

/** The same tree with other ids, as a copy of an estimation has it. */
function copied(tree: Tree): Tree {
  const { nodes, options } = idsOf(tree.nodes);
  const renamed = [...nodes, ...options].reduce(
    (text, id) => text.replaceAll(`"${id}"`, `"${id}x"`),
    JSON.stringify(tree),
  );
  return JSON.parse(renamed) as Tree;
}

const withOrigins = (tree: Tree): Tree => matchTree(tree, tree);

const option = (id: string, title: string, more: Partial<Option> = {}): Option => ({
  ...{ id, title, description: "", hours: null, quantity: 1, unit: null, role: null, selected: false },
  ...{ requires: [], excludes: [], override: null, nodes: [] },
  ...more,
});
const node = (id: string, title: string, options: Option[] = [], more: Partial<Node> = {}): Node => ({
  ...{ id, title, description: "", kind: "multi", required: false, min: null, max: null, options },
  ...more,
});
const idsAfter = (base: Node[], other: Node[]) => {
  const { nodes, options } = idsOf(matchTree({ nodes: base }, { nodes: other }).nodes);
  return [...nodes, ...options];
};

describe("the tree of another estimation", () => {
  test("that is a copy is the same tree, links included", () => {
    fc.assert(
      fc.property(snapshotPairs, ([{ tree }]) => {
        expect(matchTree(tree, copied(tree))).toEqual(withOrigins(tree));
      }),
      { numRuns: 100 },
    );
  });

  test("keeps everything but ids and origins, which stay different, and leads to a difference that can be applied", () => {
    fc.assert(
      fc.property(snapshotPairs, ([from, to]) => {
        const other = copied(to.tree);
        const matched = matchTree(from.tree, other);
        const { nodes, options } = idsOf(matched.nodes);
        const before = idsOf(other.nodes);
        expect([nodes.size, options.size]).toEqual([before.nodes.size, before.options.size]);
        expect(JSON.stringify(matched, without)).toEqual(JSON.stringify(other, without));
        const apart: Snapshot = { ...from, tree: matched };
        expect(() => diff(from, apart)).not.toThrow();
        if (JSON.stringify(from.tree) === JSON.stringify(to.tree)) expect(diff(from, apart)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("is matched by titles, whatever their case, of several with one title in their order", () => {
    const base = [node("a", "Payment", [option("b", "Card"), option("c", "Other"), option("d", "Other")])];
    const other = [node("1", " payment", [option("2", "Other"), option("3", "CARD"), option("4", "Other")])];
    expect(idsAfter(base, other)).toEqual(["a", "c", "b", "d"]);
  });

  test("is matched by its origin before its title", () => {
    const origin = (id: string) => ({ origin: { templateId: "tpl", id } });
    const base = [node("a", "Payment", [], origin("1")), node("b", "Checkout", [], origin("2"))];
    const other = [node("3", "Checkout", [], origin("1")), node("4", "Payment", [], origin("2"))];
    expect(idsAfter(base, other)).toEqual(["a", "b"]);
  });

  test("is matched across places by titles that are there once in both, and then what is below", () => {
    const base = [
      node("a", "Shop", [option("b", "Yes", { nodes: [node("c", "Search", [option("d", "Fast")])] })]),
      node("e", "Screens", [option("f", "Cart")]),
    ];
    const other = [node("1", "Search", [option("2", "Fast")]), node("3", "Pages", [option("4", "Cart")])];
    // "Cart" stands below a question of another title, so it may be something else.
    expect(idsAfter(base, other)).toEqual(["c", "3", "d", "4"]);
    expect(idsAfter([...base, node("g", "Search")], other)).toEqual(["g", "3", "d", "4"]);
  });
});

const without = (name: string, value: unknown) =>
  name === "id" || name === "origin" || name === "requires" || name === "excludes" ? undefined : value;
