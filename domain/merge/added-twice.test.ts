import { describe, expect, test } from "vitest";
import { createNode } from "../tree/edit/edit-nodes.ts";
import { createOption } from "../tree/edit/edit-options.ts";
import type { NewId, OptionFields, Tree } from "../tree/shape.ts";
import { countedIds } from "../tree/testing/trees.ts";
import type { Snapshot } from "../versions/shape.ts";
import { addedTwice, REPORTED } from "./added-twice.ts";
import { afterEdits, scene, tryMerge } from "./testing/scene.ts";

const { base, node, option } = scene([
  { title: "Payment", kind: "group", options: [{ title: "Card", hours: 8 }] },
  { title: "Extras", kind: "group", options: [{ title: "Chat", hours: 5 }] },
]);
const [ourId, theirId] = [countedIds("ours-"), countedIds("theirs-")];

const add = (newId: NewId, below: string, fields: Partial<OptionFields> & { readonly title: string }) => (tree: Tree) =>
  createOption(tree, node(below), fields as OptionFields, newId);
const adding =
  (newId: NewId, title: string, hours: number, parentId: string | null = null) =>
  (tree: Tree) => {
    const made = createNode(tree, { title, kind: "group", parentOptionId: parentId } as never, newId);
    if (!made.ok) return made;
    return createOption(made.tree, made.node.id, { title: "Work", hours } as OptionFields, newId);
  };

/** Merges what each side has made of `base`, and returns what both have added. */
function twiceIn(into: Snapshot, from: Snapshot) {
  const { snapshot } = tryMerge(base, into, from);
  if (!snapshot) throw new Error("the merge has conflicts");
  return addedTwice({ bases: [base], into, from }, snapshot);
}

describe("what both sides of a merge have added", () => {
  const invoice = { title: "Invoice", hours: 6 };

  test("is named with the hours that count twice: of the same title and hours, below the same parent", () => {
    const into = afterEdits(base, add(ourId, "Payment", invoice));
    const from = afterEdits(base, add(theirId, "Payment", { ...invoice, title: " invoice " }));
    const [ours, theirs] = [into, from].map(({ tree }) => tree.nodes[0]?.options[1]);
    expect(twiceIn(into, from)).toEqual([
      { target: "option", intoId: ours?.id, fromId: theirs?.id, title: theirs?.title, hours: 6 },
    ]);
  });

  test("is not named if title, hours, quantity or parent differ, or if only one side has added it", () => {
    const into = afterEdits(base, add(ourId, "Payment", invoice));
    for (const other of [
      add(theirId, "Payment", { ...invoice, title: "Invoices" }),
      add(theirId, "Payment", { ...invoice, hours: 7 }),
      add(theirId, "Payment", { ...invoice, quantity: 2 }),
      add(theirId, "Extras", invoice),
    ])
      expect(twiceIn(into, afterEdits(base, other))).toEqual([]);
    expect(twiceIn(into, base)).toEqual([]);
    expect(twiceIn(base, into)).toEqual([]);
    // The same addition, which one side has from the other.
    expect(twiceIn(into, structuredClone(into))).toEqual([]);
  });

  test("is named if it came from the same place, whatever it is called by now", () => {
    const origin = { templateId: "tpl_1", id: "opt_1" };
    const withOrigin = (snapshot: Snapshot): Snapshot => {
      const copy = structuredClone(snapshot);
      const made = copy.tree.nodes[0]?.options[1];
      if (made) Object.assign(made, { origin });
      return copy;
    };
    const into = withOrigin(afterEdits(base, add(ourId, "Payment", invoice)));
    const from = withOrigin(afterEdits(base, add(theirId, "Payment", { title: "On account", hours: 9 })));
    expect(twiceIn(into, from)).toMatchObject([{ title: "On account", hours: 9 }]);
  });

  test("is a node with all that is below it, once, also below an option", () => {
    for (const parentId of [null, option("Chat")]) {
      const into = afterEdits(base, adding(ourId, "Refunds", 4, parentId));
      const from = afterEdits(base, adding(theirId, "Refunds", 4, parentId));
      expect(twiceIn(into, from)).toMatchObject([{ target: "node", title: "Refunds", hours: 4 }]);
      expect(twiceIn(into, afterEdits(base, adding(theirId, "Refunds", 5, parentId)))).toEqual([]);
    }
  });

  test("is a milestone of the same title and day", () => {
    const with_ = (id: string, title: string, dueDate: string): Snapshot => ({
      ...base,
      milestones: [{ id, title, dueDate, nodeIds: [], taskIds: [] }],
    });
    const into = with_("mst_1", "Beta", "2027-03-01");
    expect(twiceIn(into, with_("mst_2", "beta", "2027-03-01"))).toEqual([
      { target: "milestone", intoId: "mst_1", fromId: "mst_2", title: "beta", hours: 0 },
    ]);
    expect(twiceIn(into, with_("mst_2", "Beta", "2027-03-02"))).toEqual([]);
  });

  test("is named in pairs, and up to a limit", () => {
    const all = (newId: NewId, count: number) =>
      afterEdits(base, ...Array.from({ length: count }, (_, at) => add(newId, at % 2 ? "Extras" : "Payment", invoice)));
    const pairs = twiceIn(all(ourId, 3), all(theirId, 2));
    expect([pairs.length, new Set(pairs.map(({ intoId }) => intoId)).size]).toEqual([2, 2]);
    expect(twiceIn(all(ourId, REPORTED), all(theirId, REPORTED))).toHaveLength(REPORTED);
    expect(twiceIn(all(ourId, REPORTED + 1), all(theirId, REPORTED + 1))).toHaveLength(REPORTED);
  });
});
