import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Node, Option, Tree } from "../../../../domain/tree/shape.ts";
import { recognise } from "./recognise.ts";
import { node, option } from "./testing/parts.ts";
import { lastingIds, withIds } from "./tree-ids.ts";

const points = (likely: number) => ({ optimistic: likely, likely, pessimistic: likely });
const known = new Set(["nod_a", "opt_a"]);
const treeWith = (...added: Option[]): Tree => ({
  nodes: [node("nod_a", "Payment", [option("opt_a", "Card"), ...added])],
});

describe("what was stored without an answer", () => {
  const sent: Tree = {
    nodes: [
      ...treeWith(option("new_o1", "New option"), option("new_o2", "New option", { hours: points(4) })).nodes,
      node("new_n1", "Screens", [option("new_o3", "Cart", { requires: ["new_o1"] })]),
    ],
  };
  const ids = new Map([
    ["new_o1", "opt_1"],
    ["new_o2", "opt_2"],
    ["new_n1", "nod_3"],
    ["new_o3", "opt_4"],
  ]);
  const stored = withIds(sent, ids);
  const changed = (change: (thing: Option) => Option): Tree => ({
    nodes: stored.nodes.map((each) => ({ ...each, options: each.options.map(change) })),
  });

  test("is found with its ids, however it was chosen, renamed, moved or given hours since", () => {
    expect(recognise(sent, stored, known)).toEqual(ids);
    expect(
      recognise(
        sent,
        changed((each) => ({ ...each, selected: true })),
        known,
      ),
    ).toEqual(ids);
    const renamed = changed((each) => (each.id === "opt_2" ? { ...each, title: "Invoice" } : each));
    expect(recognise(sent, renamed, known)).toEqual(ids);
    const estimated = changed((each) => (each.id === "opt_4" ? { ...each, hours: points(9) } : each));
    expect(recognise(sent, estimated, known)).toEqual(ids);
    const [payment, screens] = stored.nodes as [Node, Node];
    const moved = {
      nodes: [
        { ...payment, options: [...payment.options, ...screens.options] },
        { ...screens, options: [] },
      ],
    };
    expect(recognise(sent, moved, known)).toEqual(ids);
  });

  test("is not mistaken for what somebody else added, nor for anything if it never arrived", () => {
    expect(recognise(sent, treeWith(), known).size).toBe(0);
    expect(recognise(sent, treeWith(option("opt_9", "Voucher", { hours: points(1) })), known).size).toBe(0);
    const gone = withIds(sent, ids);
    const less = { nodes: [gone.nodes[0] as Node, node("nod_8", "Theirs")] };
    expect([...recognise(sent, less, known).values()]).toEqual(["opt_1", "opt_2"]);
  });

  test("is found in every tree whose new things were stored as they were sent", () => {
    const titles = fc.array(fc.constantFrom("New option", "Card", "Cart"), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(titles, { maxLength: 5 }), (lists) => {
        const tree: Tree = {
          nodes: lists.map((list, n) =>
            node(
              `new_n${n}`,
              "New question",
              list.map((title, o) => option(`new_o${n}_${o}`, title)),
            ),
          ),
        };
        let count = 0;
        const lasting = new Map<string, string>();
        for (const each of tree.nodes) {
          for (const { id } of [each, ...each.options]) lasting.set(id, `${String(++count).padStart(4, "0")}`);
        }
        const there = withIds(tree, lasting);
        expect(lastingIds(tree.nodes, there.nodes)).toEqual(lasting);
        expect(recognise(tree, there, new Set())).toEqual(lasting);
      }),
    );
  });
});
