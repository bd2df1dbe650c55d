import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { breaches, faultAt } from "../check/faults.ts";
import { deselectOption, selectOption } from "../edit/edit-options.ts";
import { idsOf, type Tree } from "../shape.ts";
import { frozen, plant, trees } from "../testing/trees.ts";
import { tryOut } from "./try-out.ts";

const tree = frozen(
  plant([
    {
      title: "Payment",
      kind: "single",
      options: [{ title: "Invoice", selected: true }, { title: "Card" }, { title: "Transfer" }],
    },
  ]),
);
const [invoice = "", card = "", transfer = ""] = tree.nodes[0]?.options.map(({ id }) => id) ?? [];
const selectedIn = (of: Tree) => of.nodes[0]?.options.filter(({ selected }) => selected).map(({ title }) => title);

function tried(of: Tree, select: string[], deselect: string[] = []): Tree {
  const outcome = tryOut(of, { select, deselect });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  return outcome.tree;
}

describe("trying selections out", () => {
  it("displaces the sibling in a single-choice node; of several the last one stays", () => {
    expect(selectedIn(tried(tree, [card]))).toEqual(["Card"]);
    expect(selectedIn(tried(tree, [transfer, card]))).toEqual(["Card"]);
    expect(selectedIn(tried(tree, [card], [invoice]))).toEqual(["Card"]);
    expect(selectedIn(tried(tree, [], [invoice]))).toEqual([]);
    expect(tried(tree, [invoice])).toEqual(tree);
    expect(tried(tree, [])).toBe(tree);
  });

  it("reports ids that are unknown or given twice, and the maximum of them", () => {
    const faults = (select: string[], deselect: string[] = []) => {
      const outcome = tryOut(tree, { select, deselect });
      return outcome.ok ? [] : outcome.faults;
    };
    expect(faults([card, "opt_none"])).toEqual([faultAt("/select/1", breaches.unknownLink, "query")]);
    expect(faults([card], [card])).toEqual([faultAt("/deselect/0", breaches.repeatedId, "query")]);
    expect(faults([card, card])).toEqual([faultAt("/select/1", breaches.repeatedId, "query")]);
    const many = plant([
      { title: "Many", kind: "multi", options: Array.from({ length: 101 }, (_, n) => ({ title: `${n}` })) },
    ]);
    const ids = [...idsOf(many.nodes).options];
    expect(tryOut(many, { select: ids.slice(0, limits.trialOptions), deselect: [] }).ok).toBe(true);
    expect(tryOut(many, { select: ids.slice(1), deselect: ids.slice(0, 1) })).toEqual({
      ok: false,
      faults: [faultAt("/select", breaches.trial, "query")],
    });
  });

  it("gives the same as selecting and deselecting one after the other, and does not change the tree", () => {
    fc.assert(
      fc.property(
        trees,
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (any, ups, downs) => {
          const ids = [...idsOf(any.nodes).options];
          if (ids.length === 0) return;
          const select = [...new Set(ups.map((at) => ids[at % ids.length] as string))];
          const deselect = [...new Set(downs.map((at) => ids[at % ids.length] as string))].filter(
            (id) => !select.includes(id),
          );
          let expected: Tree = any;
          for (const [ids, edit] of [
            [select, selectOption],
            [deselect, deselectOption],
          ] as const) {
            for (const id of ids) {
              const outcome = edit(expected, id);
              if (!outcome.ok) throw new Error("refused");
              expected = outcome.tree;
            }
          }
          expect(tried(any, select, deselect)).toEqual(expected);
        },
      ),
    );
  });
});
