import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Breach, breaches, faultAt } from "../check/faults.ts";
import { idsOf, type NodeInput, type Tree } from "../shape.ts";
import { countedIds, frozen, plant } from "../testing/trees.ts";
import { createNode, deleteNode, moveNode, updateNode } from "./edit-nodes.ts";

const ids = countedIds("new-");
const refused = (path: string, breach: Breach) => ({ ok: false, reason: "invalid", faults: [faultAt(path, breach)] });
const stillReferredTo = (path: string, at: string) => ({
  ok: false,
  reason: "invalid",
  faults: [{ path, in: "path", ...breaches.referredTo, at }],
});
const notFound = { ok: false, reason: "not_found" };

/** n1 { o2 { n3 { o4 } }, o5 }, n6 { o7 } */
const tree = frozen(
  plant([
    {
      title: "Payment",
      kind: "multi",
      options: [
        {
          title: "Card",
          selected: true,
          nodes: [{ title: "Means", kind: "multi", options: [{ title: "SCA", ref: "s" }] }],
        },
        { title: "Invoice", selected: true },
      ],
    },
    { title: "Data", kind: "group", options: [{ title: "Import", requires: ["s"], excludes: [] }] },
  ]),
);
const node = { title: "New", kind: "single" as const };
const titles = (result: { ok: boolean; tree?: Tree }) => result.tree?.nodes.map(({ title }) => title);

function levels(count: number, options: NodeInput["options"] = [{ title: "Deepest" }]): NodeInput[] {
  let nodes: NodeInput[] = [];
  for (let level = 0; level < count; level += 1) {
    nodes = [{ title: "Level", kind: "multi", options: nodes.length ? [{ title: "Option", nodes }] : options }];
  }
  return nodes;
}
const deepestOption = (deep: Tree): string => [...idsOf(deep.nodes).options].at(-1) as string;

describe("adding a node", () => {
  it("puts it at the end of the root, with defaults, and leaves the old tree unchanged", () => {
    const result = createNode(tree, node, ids);
    expect(result).toMatchObject({
      ok: true,
      node: { description: "", required: false, min: null, max: null, options: [] },
    });
    expect(titles(result)).toEqual(["Payment", "Data", "New"]);
  });

  it("puts it at a position, the end included and no further", () => {
    expect(titles(createNode(tree, { ...node, position: 0 }, ids))).toEqual(["New", "Payment", "Data"]);
    expect(titles(createNode(tree, { ...node, position: 2 }, ids))).toEqual(["Payment", "Data", "New"]);
    expect(createNode(tree, { ...node, position: 3 }, ids)).toEqual(refused("/position", breaches.position));
    expect(createNode(tree, { ...node, position: -1 }, ids)).toEqual(refused("/position", breaches.position));
  });

  it("puts it only below an option of the same tree", () => {
    const result = createNode(tree, { ...node, parentOptionId: "o5" }, ids);
    expect(result).toMatchObject({ tree: { nodes: [{ options: [{}, { nodes: [{ title: "New" }] }] }, {}] } });
    for (const parentOptionId of ["nowhere", "n1"]) {
      expect(createNode(tree, { ...node, parentOptionId }, ids)).toEqual(
        refused("/parentOptionId", breaches.parentOption),
      );
    }
  });

  it("is possible at 12 levels and not at 13", () => {
    const eleven = plant(levels(limits.treeDepth - 1));
    expect(createNode(eleven, { ...node, parentOptionId: deepestOption(eleven) }, ids).ok).toBe(true);
    const twelve = plant(levels(limits.treeDepth));
    expect(createNode(twelve, { ...node, parentOptionId: deepestOption(twelve) }, ids)).toEqual(
      refused("/parentOptionId", breaches.depth),
    );
  });

  it("accepts the 2,000th node and not the 2,001st", () => {
    const almost = plant(Array.from({ length: limits.treeNodes - 1 }, () => node));
    const full = createNode(almost, node, ids);
    if (!full.ok) throw new Error("refused");
    expect(createNode(full.tree, node, ids)).toEqual(refused("", breaches.nodes));
  });

  it("requires min ≤ max", () => {
    expect(createNode(tree, { ...node, min: 2, max: 1 }, ids)).toEqual(refused("/max", breaches.max));
    expect(createNode(tree, { ...node, min: 2, max: 2 }, ids).ok).toBe(true);
  });
});

describe("changing a node", () => {
  it("changes what is given and nothing else, read-only fields sent back included", () => {
    const body = { description: "How", required: true, id: "other", options: [] };
    const result = updateNode(tree, "n1", body);
    expect(result).toMatchObject({ ok: true, node: { ...tree.nodes[0], description: "How", required: true } });
    expect(updateNode(tree, "o2", { title: "x" })).toEqual(notFound);
  });

  it("clears a bound with null, and checks a bound against the one that stays", () => {
    const bounded = updateNode(tree, "n1", { min: 1, max: 2 });
    if (!bounded.ok) throw new Error("refused");
    expect(updateNode(bounded.tree, "n1", { min: 3 })).toEqual(refused("/min", breaches.min));
    expect(updateNode(bounded.tree, "n1", { max: 0 })).toEqual(refused("/max", breaches.max));
    expect(updateNode(bounded.tree, "n1", { min: 3, max: null })).toMatchObject({ node: { min: 3, max: null } });
  });

  it("does not deselect on the user's behalf when a choice becomes single", () => {
    expect(updateNode(tree, "n1", { kind: "single" })).toEqual(refused("/kind", breaches.oneSelected));
    expect(updateNode(tree, "n3", { kind: "single" })).toMatchObject({ ok: true, node: { kind: "single" } });
  });

  it("does not let a choice become multiple if its options would exceed the limit of a tree's hours", () => {
    const dear = { title: "Long", hours: 100_000, quantity: 10_000 };
    const inner: NodeInput = { title: "Hours", kind: "single", options: [dear, dear] };
    const heavy = plant([
      { title: "Times", kind: "group", options: [{ title: "Many", quantity: 10_000, nodes: [inner] }] },
    ]);
    expect(updateNode(heavy, "n3", { kind: "multi" })).toEqual(refused("", breaches.treeHours));
    expect(updateNode(heavy, "n3", { required: true }).ok).toBe(true);
  });

  it("moves it if a place is given, and leaves it if that is its own place", () => {
    expect(titles(updateNode(tree, "n6", { position: 0, title: "First" }))).toEqual(["First", "Payment"]);
    expect(titles(updateNode(tree, "n1", { parentOptionId: null }))).toEqual(["Payment", "Data"]);
    expect(titles(updateNode(tree, "n3", { parentOptionId: null }))).toEqual(["Payment", "Data", "Means"]);
  });
});

describe("moving a node", () => {
  it("moves everything below it along and keeps ids", () => {
    const result = moveNode(tree, "n3", { parentOptionId: "o7" });
    expect(result).toMatchObject({
      tree: { nodes: [{ options: [{ nodes: [] }, {}] }, { options: [{ nodes: [{ id: "n3" }] }] }] },
    });
    if (result.ok) expect(idsOf(result.tree.nodes).options.size).toBe(4);
  });

  it("counts the position without the node itself", () => {
    expect(titles(moveNode(tree, "n1", { parentOptionId: null, position: 1 }))).toEqual(["Data", "Payment"]);
    expect(moveNode(tree, "n1", { parentOptionId: null, position: 2 })).toEqual(
      refused("/position", breaches.position),
    );
  });

  it("does not go below itself, to an unknown option, or from an unknown node", () => {
    for (const parentOptionId of ["o2", "o4"]) {
      expect(moveNode(tree, "n1", { parentOptionId })).toEqual(refused("/parentOptionId", breaches.belowItself));
    }
    expect(moveNode(tree, "n1", { parentOptionId: "n6" })).toEqual(refused("/parentOptionId", breaches.parentOption));
    expect(moveNode(tree, "n9", { parentOptionId: null })).toEqual(notFound);
  });

  it("goes no deeper than 12 levels with everything below it", () => {
    const deep = plant([...levels(limits.treeDepth - 2), ...levels(2), ...levels(3)]);
    const [first, second, third] = deep.nodes;
    const parentOptionId = [...idsOf([first as Tree["nodes"][number]]).options].at(-1) as string;
    expect(moveNode(deep, second?.id ?? "", { parentOptionId }).ok).toBe(true);
    expect(moveNode(deep, third?.id ?? "", { parentOptionId })).toEqual(refused("/parentOptionId", breaches.depth));
  });

  it("does not multiply hours beyond the limit of a tree", () => {
    const heavy = plant([
      { title: "Times", kind: "group", options: [{ title: "Many", quantity: 10_000 }] },
      {
        title: "Hours",
        kind: "group",
        options: Array.from({ length: 2 }, () => ({ title: "Long", hours: 100_000, quantity: 10_000 })),
      },
    ]);
    expect(moveNode(heavy, "n3", { parentOptionId: "o2" })).toEqual(refused("", breaches.treeHours));
  });
});

describe("deleting a node", () => {
  it("deletes everything below it too, and returns it", () => {
    const result = deleteNode(tree, "n6");
    expect(result).toMatchObject({ ok: true, node: { id: "n6" } });
    expect(titles(result)).toEqual(["Payment"]);
    expect(deleteNode(tree, "o2")).toEqual(notFound);
  });

  it("is refused while an option that stays names one that would go", () => {
    for (const id of ["n1", "n3"]) {
      expect(deleteNode(tree, id)).toEqual(stillReferredTo("/nodeId", "/nodes/1/options/0/requires/0"));
    }
  });

  it("ignores links within the removed part", () => {
    const linked = plant([
      {
        title: "A",
        kind: "multi",
        options: [
          { title: "x", ref: "x" },
          { title: "y", requires: ["x"], excludes: ["x"] },
        ],
      },
    ]);
    expect(deleteNode(linked, "n1")).toMatchObject({ ok: true, tree: { nodes: [] } });
  });
});
