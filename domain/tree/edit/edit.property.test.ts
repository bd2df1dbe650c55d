import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkStructure } from "../check/check-structure.ts";
import { idsOf, type NewId, type Tree, walk } from "../shape.ts";
import { countedIds, frozen, nodeFields, optionFields, trees } from "../testing/trees.ts";
import { createNode, deleteNode, moveNode, updateNode } from "./edit-nodes.ts";
import { createOption, deleteOption, deselectOption, moveOption, selectOption, updateOption } from "./edit-options.ts";

const edit = fc.record({
  verb: fc.constantFrom(
    "createNode",
    "updateNode",
    "moveNode",
    "deleteNode",
    "createOption",
    "updateOption",
    "moveOption",
    "deleteOption",
    "select",
    "deselect",
  ),
  node: fc.nat(),
  option: fc.nat(),
  links: fc.array(fc.nat(), { maxLength: 3 }),
  position: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
  nodeFields,
  optionFields,
});
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

/** Applies an edit to the things that its numbers pick; one number in many picks a thing that is not there. */
function apply(tree: Tree, edit: Edit, newId: NewId) {
  const ids = idsOf(tree.nodes);
  const pick = (from: Set<string>, at: number): string => [...from, "nowhere"][at % (from.size + 1)] as string;
  const nodeId = pick(ids.nodes, edit.node);
  const optionId = pick(ids.options, edit.option);
  const links = [...new Set(edit.links.map((link) => pick(ids.options, link)))];
  const parentOptionId = edit.option % 3 === 0 ? null : optionId;
  const { position } = edit;
  switch (edit.verb) {
    case "createNode":
      return createNode(tree, { ...edit.nodeFields, parentOptionId, position }, newId);
    case "updateNode":
      return updateNode(tree, nodeId, edit.nodeFields);
    case "moveNode":
      return moveNode(tree, nodeId, { parentOptionId, position });
    case "deleteNode":
      return deleteNode(tree, nodeId);
    case "createOption":
      return createOption(tree, nodeId, { ...edit.optionFields, requires: links, excludes: links, position }, newId);
    case "updateOption":
      return updateOption(tree, optionId, { ...edit.optionFields, requires: links });
    case "moveOption":
      return moveOption(tree, optionId, { nodeId, position });
    case "deleteOption":
      return deleteOption(tree, optionId);
    case "select":
      return selectOption(tree, optionId);
    case "deselect":
      return deselectOption(tree, optionId);
  }
}

/** The invariants once more, by other means than `checkStructure`. */
function expectSound(tree: Tree): void {
  const seen: string[] = [];
  const optionIds = idsOf(tree.nodes).options;
  walk(tree.nodes, {
    node: (node, _path, depth) => {
      seen.push(node.id);
      expect(depth).toBeLessThanOrEqual(12);
      expect(node.options.length).toBeLessThanOrEqual(200);
      if (node.kind === "single") expect(node.options.filter(({ selected }) => selected).length).toBeLessThanOrEqual(1);
      if (node.min !== null && node.max !== null) expect(node.min).toBeLessThanOrEqual(node.max);
    },
    option: (option) => {
      seen.push(option.id);
      for (const link of [...option.requires, ...option.excludes]) expect(optionIds.has(link)).toBe(true);
    },
  });
  expect(new Set(seen).size).toBe(seen.length);
}

describe("any sequence of edits", () => {
  it("keeps every tree valid, returns what it changed, and does not modify the tree that it was given", () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(trees, fc.array(edit, { minLength: 1, maxLength: 30 }), (start, edits) => {
        const newId = countedIds("new-");
        let tree = start;
        for (const change of edits) {
          // The tree is frozen: an edit that wrote into it, refused or not, would throw.
          const result = apply(tree, change, newId);
          outcomes.add(`${change.verb} ${result.ok || result.reason}`);
          if (!result.ok) {
            if (result.reason === "invalid") expect(result.faults.length).toBeGreaterThan(0);
            continue;
          }
          expect(checkStructure(result.tree.nodes)).toEqual([]);
          expectSound(result.tree);
          const part = "node" in result ? result.node : result.option;
          const ids = idsOf(result.tree.nodes);
          const present = ids.nodes.has(part.id) || ids.options.has(part.id);
          expect(present).toBe(!change.verb.startsWith("delete"));
          tree = frozen(result.tree);
        }
      }),
      { numRuns: 300 },
    );
    // The test means something only if edits of every kind were both made and refused.
    for (const verb of ["createNode", "moveNode", "deleteNode", "createOption", "updateOption", "moveOption"]) {
      expect(outcomes).toContain(`${verb} true`);
      expect(outcomes).toContain(`${verb} invalid`);
    }
  });

  it("moves and reorders without losing or adding anything", () => {
    fc.assert(
      fc.property(trees, edit, (tree, change) => {
        if (!change.verb.startsWith("move") && !change.verb.startsWith("update")) return;
        const result = apply(tree, change, countedIds("new-"));
        if (!result.ok) return;
        const before = idsOf(tree.nodes);
        const after = idsOf(result.tree.nodes);
        expect([...after.nodes].sort()).toEqual([...before.nodes].sort());
        expect([...after.options].sort()).toEqual([...before.options].sort());
      }),
      { numRuns: 300 },
    );
  });
});
