import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { resultOf } from "../steps.ts";
import { checkStructure } from "../tree/check/check-structure.ts";
import { idsOf, type Node, type Option, type Tree, walk } from "../tree/shape.ts";
import { countedIds, frozen, plant, trees } from "../tree/testing/trees.ts";
import { applyTemplate } from "./apply-template.ts";
import type { TemplateTree } from "./shape.ts";
import { toTemplate } from "./to-template.ts";

/** A value with each id replaced by its place in tree order, so that equal structure is equal text. */
function placed(tree: Tree | TemplateTree): string {
  const places = new Map<string, string>();
  const note = ({ id }: { id: string }) => void places.set(id, `#${places.size}`);
  walk(tree.nodes as Tree["nodes"], { node: note, option: note });
  return JSON.stringify(tree, (name, value) =>
    name === "origin" ? undefined : typeof value === "string" ? (places.get(value) ?? value) : value,
  );
}

const partsOf = (tree: Tree | TemplateTree): (Node | Option)[] => {
  const parts: (Node | Option)[] = [];
  walk(tree.nodes as Tree["nodes"], {
    node: (node) => void parts.push(node),
    option: (option) => void parts.push(option),
  });
  return parts;
};

const templates = trees.map((tree) => ({ id: "tpl_1", tree: frozen(toTemplate(tree, countedIds("t"))) }));
const EMPTY: Tree = frozen({ nodes: [] });

function applied(...[before, template, mode]: [Tree, { id: string; tree: TemplateTree }, "append" | "replace"]): Tree {
  const outcome = resultOf(applyTemplate(before, template, mode, countedIds("new")));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.tree;
}

test("a template that is applied to an empty tree and made a template again is the same", () => {
  fc.assert(
    fc.property(templates, fc.constantFrom("append" as const, "replace" as const), (template, mode) => {
      const again = toTemplate(applied(EMPTY, template, mode), countedIds("u"));
      expect(placed(again)).toBe(placed(template.tree));
    }),
  );
});

test("a template has everything that its tree has, except selections, overrides and origins", () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const bare = JSON.parse(JSON.stringify(tree)) as Tree;
      walk(bare.nodes, {
        option: (option) => {
          option.hours ??= option.override;
          Reflect.deleteProperty(option, "selected");
          Reflect.deleteProperty(option, "override");
        },
      });
      const template = toTemplate(tree, countedIds("t"));
      expect(JSON.parse(placed(template))).toEqual(JSON.parse(placed(bare)));
    }),
  );
});

test("the applied part has new ids, its internal links, its origin, and nothing selected; the rest stays as it was", () => {
  fc.assert(
    fc.property(trees, templates, fc.constantFrom("append" as const, "replace" as const), (before, template, mode) => {
      const after = applied(before, template, mode);
      expect(checkStructure(after.nodes)).toEqual([]);
      const kept = mode === "append" ? before.nodes.length : 0;
      expect(after.nodes.slice(0, kept)).toEqual(before.nodes.slice(0, kept));
      const added = { nodes: after.nodes.slice(kept) };
      const [ids, old, source] = [idsOf(added.nodes), idsOf(before.nodes), idsOf(template.tree.nodes as Tree["nodes"])];
      for (const kind of ["nodes", "options"] as const) {
        expect(ids[kind].isDisjointFrom(old[kind]) && ids[kind].isDisjointFrom(source[kind])).toBe(true);
      }
      const made = partsOf(added);
      expect(made.map(({ origin }) => origin)).toEqual(
        partsOf(template.tree).map(({ id }) => ({ templateId: "tpl_1", id })),
      );
      expect(made.some((part) => "selected" in part && (part.selected || part.override !== null))).toBe(false);
      const placeOf = (links: readonly string[], parts: readonly { id: string }[]) =>
        links.map((link) => parts.findIndex(({ id }) => id === link));
      const originals = partsOf(template.tree);
      made.forEach((part, at) => {
        const original = originals[at];
        if (!("requires" in part) || !original || !("requires" in original)) return;
        expect(placeOf(part.requires, made)).toEqual(placeOf(original.requires, originals));
        expect(placeOf(part.excludes, made)).toEqual(placeOf(original.excludes, originals));
      });
    }),
  );
});

const group = (options: number, more: (at: number) => object = () => ({})) => ({
  title: "Group",
  kind: "group" as const,
  options: Array.from({ length: options }, (_, at) => ({ title: "Option", ...more(at) })),
});

test.each([
  ["nodes", limits.treeNodes, 1, (count: number) => Array.from({ length: count }, () => group(0))],
  ["options", limits.treeOptions, 200, (count: number) => Array.from({ length: count / 200 }, () => group(200))],
  [
    "hours",
    limits.treeHoursMax,
    limits.treeHoursMax / 10_000,
    (hours: number) =>
      Array.from({ length: Math.round((hours / limits.treeHoursMax) * 50) }, () =>
        group(200, () => ({ hours: limits.optionHoursMax, quantity: limits.quantityMax })),
      ),
  ],
  [
    "links",
    limits.treeLinks,
    200,
    // Ten options that each require the twenty of another question.
    (count: number) =>
      Array.from({ length: count / 200 }, (_, n) => {
        const refs = Array.from({ length: 20 }, (__, at) => `${n}-${at}`);
        return [group(20, (at) => ({ ref: refs[at] })), group(10, () => ({ requires: refs }))];
      }).flat(),
  ],
] as const)("an append fills the limit of %s, and is refused beyond it", (what, limit, step, make) => {
  const one = what === "hours" ? limit / 50 : step;
  const template = { id: "tpl_1", tree: toTemplate(plant(make(one)), countedIds("t")) };
  const below = plant(make(limit - one), countedIds("b"));
  const full = applied(below, template, "append");
  const refused = resultOf(applyTemplate(full, template, "append", countedIds("n")));
  expect(refused).toMatchObject({ ok: false, reason: "invalid" });
  expect(!refused.ok && refused.reason === "invalid" && refused.faults.map(({ path }) => path)).toContain(
    "/templateId",
  );
  expect(applied(full, template, "replace").nodes).toHaveLength(template.tree.nodes.length);
});
