import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultSettings } from "../../../../../domain/timeline/settings.ts";
import { rollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { idsOf, type Node, type Tree } from "../../../../../domain/tree/shape.ts";
import { diff } from "../../../../../domain/versions/diff.ts";
import type { Snapshot } from "../../../../../domain/versions/shape.ts";
import { snapshotPairs } from "../../../../../domain/versions/testing/snapshots.ts";
import { rowsOf } from "../outline/rows.ts";
import { node, option } from "../testing/parts.ts";
import { countedHours } from "./marked-hours.ts";
import { markedOnly, markTree, stopFrom, stopsOf, unmarked } from "./marked-tree.ts";
import { markedTexts } from "./texts.ts";
import { optionsToView, viewedState } from "./viewed-state.ts";

const hours = (value: number) => ({ optimistic: value, likely: value, pessimistic: value });
const snapshot = (nodes: Node[], more: Partial<Snapshot> = {}): Snapshot => ({
  ...{ title: "Shop", description: "", assumptions: "", clientName: null, hourlyRate: null, currency: null },
  ...{ correlation: 0.2, rounding: 0.01, timeline: null, milestones: [], tree: { nodes } },
  ...more,
});
const marked = (before: Snapshot, after: Snapshot) => markTree(before.tree, after.tree, diff(before, after));
const orderOf = (tree: Tree) => rowsOf(tree, new Set()).map(({ id }) => id);

describe("the marks of a tree", () => {
  const card = option("card", "Card", { hours: hours(8), selected: true });
  const invoice = option("invoice", "Invoice", { hours: hours(4) });
  const before = snapshot([node("pay", "Payment", [card, invoice]), node("screens", "Screens")]);

  test("are those of the operations, each with its fields and its hours together", () => {
    const after = snapshot([
      node("pay", "How do they pay?", [
        { ...card, hours: hours(10), title: "Cards", selected: false },
        option("wallet", "Wallet", { hours: hours(3), selected: true }),
      ]),
      node("screens", "Screens"),
    ]);
    const { marks } = marked(before, after);
    expect(Object.fromEntries(marks)).toEqual({
      pay: {
        kinds: ["changed"],
        changes: [{ field: "title", before: "Payment", after: "How do they pay?" }],
        hoursDelta: 0,
      },
      card: {
        kinds: ["changed"],
        changes: [
          { field: "title", before: "Card", after: "Cards" },
          { field: "hours", before: hours(8), after: hours(10) },
          { field: "selected", before: true, after: false },
        ],
        hoursDelta: -8,
      },
      wallet: { kinds: ["added"], changes: [], hoursDelta: 3 },
      invoice: { kinds: ["removed"], changes: [], hoursDelta: 0 },
    });
  });

  test("say both of what was moved and changed, and leave what is beside the tree to the page", () => {
    const after = snapshot(
      [node("screens", "Screens", [{ ...card, title: "Cards" }]), node("pay", "Payment", [invoice])],
      {
        title: "Portal",
      },
    );
    const { marks, beside } = marked(before, after);
    expect(marks.get("card")?.kinds).toEqual(["moved", "changed"]);
    expect([...marks.values()].flatMap(({ kinds }) => kinds)).not.toContain("removed");
    expect(beside).toMatchObject([{ op: "changed", field: "title", after: "Portal" }]);
  });

  test("show what is gone at its former place, with what was below it and is gone too", () => {
    const below = node("kind", "Kind", [option("visa", "Visa"), option("kept", "Kept")]);
    const old = snapshot([node("pay", "Payment", [option("first", "First"), { ...card, nodes: [below] }, invoice])]);
    const now = snapshot([
      node("pay", "Payment", [option("new", "New"), option("first", "First"), invoice, option("kept", "Kept")]),
    ]);
    const { tree, marks } = marked(old, now);
    expect(orderOf(tree)).toEqual(["pay", "new", "first", "card", "kind", "visa", "invoice", "kept"]);
    expect([...marks].map(([id, { kinds }]) => [id, ...kinds])).toEqual([
      ["new", "added"],
      ["kept", "moved"],
      ["visa", "removed"],
      ["kind", "removed"],
      ["card", "removed"],
    ]);
    expect(markedOnly({ tree, marks, beside: [] })).toEqual(new Set(["pay", "new", "card", "kind", "visa", "kept"]));
  });

  test("are none of the same content, and none without a comparison", () => {
    expect(marked(before, structuredClone(before))).toEqual(unmarked(before.tree));
  });

  test("are on lines that show, every line once, whatever changed; without those that are gone the tree is the new one", () => {
    fc.assert(
      fc.property(snapshotPairs, ([from, to]) => {
        const result = marked(from, to);
        const order = orderOf(result.tree);
        expect(new Set(order).size).toBe(order.length);
        const gone = order.filter((id) => result.marks.get(id)?.kinds.includes("removed"));
        expect(order.filter((id) => !gone.includes(id))).toEqual(orderOf(to.tree));
        const { nodes, options } = idsOf(to.tree.nodes);
        for (const id of gone) expect(nodes.has(id) || options.has(id)).toBe(false);
        expect(stopsOf(result)).toEqual(order.filter((id) => result.marks.has(id)));
        expect(stopsOf(result)).toHaveLength(result.marks.size);
        const shown = markedOnly(result);
        for (const row of rowsOf(result.tree, new Set())) {
          if (result.marks.has(row.id)) expect(shown.has(row.id)).toBe(true);
          if (shown.has(row.id) && row.parentId) expect(shown.has(row.parentId)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("stepping from mark to mark", () => {
  const order = ["a", "b", "c", "d", "e"];
  test.each([
    [null, 1, "b"],
    [null, -1, "d"],
    ["a", 1, "b"],
    ["b", 1, "d"],
    ["c", 1, "d"],
    ["c", -1, "b"],
    ["e", 1, "b"],
    ["b", -1, "d"],
  ] as const)("from %s by %i leads to %s", (from, by, to) => {
    expect(stopFrom(["b", "d"], order, from, by)).toBe(to);
  });

  test("leads nowhere without marks", () => {
    expect(stopFrom([], order, "a", 1)).toBeUndefined();
  });
});

test("hours are of what counts: of an option its own, of a question everything in it", () => {
  const below = node("below", "Below", [option("deep", "Deep", { hours: hours(2), selected: true })], {
    kind: "group",
  });
  const tree = {
    nodes: [
      node("top", "Top", [
        option("one", "One", { hours: hours(3), quantity: 2, selected: true, nodes: [below] }),
        option("other", "Other", { hours: hours(9) }),
        option("empty", "Empty", { selected: true }),
      ]),
    ],
  };
  const { byNode } = rollUp(tree, { correlation: 0.2, hourlyRate: null, currency: null });
  expect(Object.fromEntries(countedHours(tree, byNode))).toEqual({ top: 10, one: 6, below: 4, deep: 4 });
});

test("a line is viewed with all that is below a question, in part with some of it, and never what is gone", () => {
  const below = node("below", "Below", [option("deep", "Deep")]);
  const top = node("top", "Top", [option("one", "One", { nodes: [below] }), option("gone", "Gone")]);
  const marks = new Map([["gone", { kinds: ["removed"] as const, changes: [], hoursDelta: 0 }]]);
  const state = (option: Node["options"][number] | null, ...viewed: string[]) =>
    viewedState({ node: top, option }, marks, new Set(viewed));
  expect(optionsToView({ node: top, option: null }, marks)).toEqual(["one", "deep"]);
  expect([state(null), state(null, "one"), state(null, "deep", "one")]).toEqual([false, "part", true]);
  const [one, gone] = top.options as [Node["options"][number], Node["options"][number]];
  expect([state(one, "deep"), state(one, "one"), state(gone, "gone")]).toEqual([false, true, null]);
  expect(viewedState({ node: node("none", "None"), option: null }, marks, new Set())).toBeNull();
});

test("each setting of a timeline has a name of its own", () => {
  const names = Object.keys(defaultSettings).map((name) => markedTexts.field(`timeline.${name}`));
  expect(names).not.toContain("Timeline");
  expect(new Set(names).size).toBe(names.length);
});
