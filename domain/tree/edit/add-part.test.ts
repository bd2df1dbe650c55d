import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { checkStructure } from "../check/check-structure.ts";
import { copyTree } from "../import-tree.ts";
import { idsOf, type NodeInput, type Tree } from "../shape.ts";
import { countedIds, frozen, plant, trees } from "../testing/trees.ts";
import { addPart } from "./add-part.ts";

const group = (title: string, ...options: NodeInput["options"] & object): NodeInput => ({
  title,
  kind: "group",
  options,
});
const titles = (nodes: Tree["nodes"]) => nodes.map(({ title }) => title);

/** Another part, with ids that no planted tree has. */
function part(...nodes: NodeInput[]): Tree["nodes"] {
  let made = 0;
  return copyTree(plant(nodes), (kind) => `new-${kind}-${made++}`).nodes;
}

describe("adding a part", () => {
  const tree = frozen(plant([group("First", { title: "Option" }), group("Last")]));
  const [first] = tree.nodes;
  const optionId = first?.options[0]?.id ?? "";

  it("puts it at a place among the roots, or below an option, in its order", () => {
    const added = part(group("A"), group("B"));
    const between = addPart(tree, added, { position: 1 });
    expect(between.ok && titles(between.tree.nodes)).toEqual(["First", "A", "B", "Last"]);
    const below = addPart(tree, added, { parentOptionId: optionId });
    expect(below.ok && titles(below.tree.nodes[0]?.options[0]?.nodes ?? [])).toEqual(["A", "B"]);
    expect(below.ok && titles(below.tree.nodes)).toEqual(["First", "Last"]);
  });

  it("refuses an option that is not there, and a tree that would become too deep", () => {
    expect(addPart(tree, part(group("A")), { parentOptionId: "nowhere" })).toMatchObject({ ok: false });
    const nested = (depth: number): NodeInput =>
      group("Level", { title: "Option", ...(depth > 1 ? { nodes: [nested(depth - 1)] } : {}) });
    expect(addPart(tree, part(nested(limits.treeDepth - 1)), { parentOptionId: optionId })).toMatchObject({ ok: true });
    expect(addPart(tree, part(nested(limits.treeDepth)), { parentOptionId: optionId })).toMatchObject({
      ok: false,
      faults: [{ path: "/parentOptionId" }],
    });
  });

  it("refuses more questions than a tree may have", () => {
    const many = (count: number) => part(...Array.from({ length: count }, () => group("Question")));
    expect(addPart(tree, many(limits.treeNodes - 2), {})).toMatchObject({ ok: true });
    expect(addPart(tree, many(limits.treeNodes - 1), {})).toMatchObject({ ok: false, faults: [{ path: "" }] });
  });

  it("keeps any valid tree valid, and changes nothing of what was there", () => {
    fc.assert(
      fc.property(trees, trees, fc.nat(), (before, other, at) => {
        const ids = countedIds();
        const added = copyTree(other, (kind) => `x-${ids(kind)}`).nodes;
        const outcome = addPart(frozen(before), added, { position: at % (before.nodes.length + 1) });
        if (!outcome.ok) return;
        expect(checkStructure(outcome.tree.nodes)).toEqual([]);
        expect(idsOf(outcome.tree.nodes).nodes.size).toBe(idsOf(before.nodes).nodes.size + idsOf(added).nodes.size);
        expect(outcome.tree.nodes.filter((node) => before.nodes.includes(node))).toEqual(before.nodes);
      }),
    );
  });
});
