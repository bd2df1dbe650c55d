import { describe, expect, it } from "vitest";
import { resultOf } from "../../steps.ts";
import { totalFigures } from "../hours/roll-up.ts";
import { optionTitled, plant } from "../testing/trees.ts";
import { computeChange, type EditTree } from "./compute-change.ts";
import { deleteNode, updateNode } from "./edit-nodes.ts";
import { selectOption } from "./edit-options.ts";

const tree = plant([
  {
    title: "Sign-in",
    kind: "single",
    options: [
      { title: "Google", hours: { optimistic: 4, likely: 8, pessimistic: 20 } },
      { title: "Own", hours: 40 },
    ],
  },
]);
const node = tree.nodes[0]?.id ?? "";
const known = { nodes: new Set<string>(), options: new Set<string>() };
const compute = <Part>(edit: EditTree<Part>, correlation = 0.2) =>
  resultOf(computeChange({ before: { tree, correlation: 0.2 }, edit, known, correlation }));

describe("computing a change", () => {
  it("gives the new tree as JSON with its hours", () => {
    const computed = compute((before) => selectOption(before, optionTitled(before, "Google").id));
    if (!computed.ok) throw new Error("refused");
    const after = computed.outcome.tree;
    expect(computed).toMatchObject({ text: JSON.stringify(after), removedIds: [] });
    expect(computed.hours).toEqual(totalFigures(after, { correlation: 0.2 }));
    expect(computed.hours?.expected).toBeGreaterThan(0);
  });

  it("returns the ids of everything that is no longer in the tree", () => {
    const computed = compute((before) => deleteNode(before, node));
    const gone = [node, optionTitled(tree, "Google").id, optionTitled(tree, "Own").id];
    expect(computed).toMatchObject({ removedIds: gone });
  });

  it("finds nothing to store if the tree is the same as before", () => {
    const same = { text: null, removedIds: [], hours: null };
    expect(compute((before) => ({ ok: true, tree: before }))).toMatchObject(same);
    expect(compute((before) => ({ ok: true, tree: structuredClone(before) }))).toMatchObject(same);
    expect(compute((before) => updateNode(before, node, { title: "Sign-in" }))).toMatchObject(same);
  });

  it("returns the hours at another correlation, even if the tree is unchanged", () => {
    const computed = compute((before) => ({ ok: true, tree: before }), 0.9);
    expect(computed).toMatchObject({ text: null, hours: totalFigures(tree, { correlation: 0.9 }) });
  });

  it("returns a refusal", () => {
    expect(compute((before) => deleteNode(before, "nod_none"))).toEqual({ ok: false, reason: "not_found" });
  });
});
