import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breaches, faultAt } from "./check/faults.ts";
import { checkImport, importTree } from "./import-tree.ts";
import { idsOf, type NodeInput, type Tree, type TreeIds } from "./shape.ts";
import { countedIds, plant, trees } from "./testing/trees.ts";

const nobody: TreeIds = { nodes: new Set(), options: new Set() };

function read(nodes: NodeInput[], known: TreeIds = nobody) {
  const check = checkImport(nodes);
  return check.ok ? importTree(check.checked, known, countedIds("new-")) : check;
}

describe("importing a tree", () => {
  it("sets defaults for what is left out, and gives new nodes and options ids in tree order", () => {
    expect(plant([{ title: "Node", kind: "multi", options: [{ title: "Option", hours: 3.5 }] }])).toEqual({
      nodes: [
        {
          id: "n1",
          title: "Node",
          description: "",
          kind: "multi",
          required: false,
          min: null,
          max: null,
          options: [
            {
              id: "o2",
              title: "Option",
              description: "",
              hours: { optimistic: 3.5, likely: 3.5, pessimistic: 3.5 },
              quantity: 1,
              unit: null,
              role: null,
              requires: [],
              excludes: [],
              selected: false,
              override: null,
              nodes: [],
            },
          ],
        },
      ],
    });
  });

  it("resolves refs of options that come later and deeper, and stores links by id and no ref", () => {
    const { nodes } = plant([
      {
        title: "Node",
        kind: "multi",
        options: [
          { title: "First", ref: "first", requires: ["deep"], nodes: [] },
          {
            title: "Last",
            nodes: [{ title: "Inner", kind: "multi", options: [{ title: "Deep", ref: "deep", excludes: ["first"] }] }],
          },
        ],
      },
    ]);
    const [first, last] = nodes[0]?.options ?? [];
    const deep = last?.nodes[0]?.options[0];
    expect(first?.requires).toEqual([deep?.id]);
    expect(deep?.excludes).toEqual([first?.id]);
    expect(JSON.stringify(nodes)).not.toContain('"ref"');
  });

  it("is the identity on an export, ids and selections included, and issues no id for it", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const exported = JSON.parse(JSON.stringify(tree)) as Tree;
        const check = checkImport(exported.nodes);
        if (!check.ok) throw new Error(JSON.stringify(check.faults));
        const outcome = importTree(check.checked, idsOf(tree.nodes), () => {
          throw new Error("an id was issued");
        });
        expect(outcome).toEqual({ ok: true, tree });
      }),
    );
  });

  it("refuses ids that the estimation never had, and ids of another kind", () => {
    const nodes: NodeInput[] = [
      {
        id: "opt",
        title: "Node",
        kind: "multi",
        options: [
          { title: "Option", id: "nod" },
          { title: "New", id: "foreign" },
        ],
      },
    ];
    expect(read(nodes, { nodes: new Set(["nod"]), options: new Set(["opt"]) })).toEqual({
      ok: false,
      reason: "invalid",
      faults: [
        faultAt("/nodes/0/id", breaches.knownNode),
        faultAt("/nodes/0/options/0/id", breaches.knownOption),
        faultAt("/nodes/0/options/1/id", breaches.knownOption),
      ],
    });
  });

  it("returns which ids are given before anything stored is read", () => {
    const check = checkImport([{ id: "a", title: "Node", kind: "multi", options: [{ title: "Option", id: "b" }] }]);
    expect(check).toMatchObject({
      ok: true,
      checked: {
        givenIds: [
          { kind: "node", id: "a", path: "/nodes/0/id" },
          { kind: "option", id: "b", path: "/nodes/0/options/0/id" },
        ],
      },
    });
  });

  it("restores a removed node or option under its id, wherever it is now, beside new ones", () => {
    const nodes: NodeInput[] = [{ title: "New", kind: "multi", options: [{ title: "Back", id: "old" }] }];
    expect(read(nodes, { nodes: new Set(), options: new Set(["old"]) })).toMatchObject({
      ok: true,
      tree: { nodes: [{ id: "new-n1", options: [{ id: "old" }] }] },
    });
  });

  it("refuses a broken structure", () => {
    expect(read([{ title: "Node", kind: "multi", min: 2, max: 1 }])).toEqual({
      ok: false,
      faults: [faultAt("/nodes/0/max", breaches.max)],
    });
  });
});
