import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectOption } from "../edit/edit-options.ts";
import { type Option, type Tree, walk } from "../shape.ts";
import { examples } from "../testing/examples.ts";
import { plant, trees } from "../testing/trees.ts";
import { presentHours } from "./present-hours.ts";
import { rollUp } from "./roll-up.ts";
import { p80IfEach, whatIfEach } from "./what-if.ts";

const settings = { correlation: 0.2, hourlyRate: null, currency: null };
const names = ["expected", "p50", "p80", "p90", "p95"] as const;

/** Selects each option for real and compares the roll-ups as they are returned. */
function compareWithSelecting(tree: Tree, correlation: number): void {
  const shown = (of: Tree) => presentHours(rollUp(of, { ...settings, correlation }));
  const before = shown(tree);
  const unselected: Option[] = [];
  walk(tree.nodes, { option: (option) => void (option.selected || unselected.push(option)) });
  const all = whatIfEach(tree, { correlation });
  expect(all.map(({ optionId }) => optionId)).toEqual(unselected.map(({ id }) => id));
  expect([...p80IfEach(tree, { correlation })]).toEqual(all.map(({ optionId, p80 }) => [optionId, p80]));
  for (const change of all) {
    const outcome = selectOption(tree, change.optionId);
    if (!outcome.ok) throw new Error("refused");
    const after = shown(outcome.tree);
    // Sums that are added in another order may differ in their last bit, and so by a hundredth once rounded.
    for (const name of names) expect(Math.abs(change[name] - (after[name] - before[name]))).toBeLessThan(0.0101);
  }
}

describe("what selecting each option would change", () => {
  it("counts what is below it, deselects the sibling, and is 0 if it would stay dormant or counts anyway", () => {
    const tree = plant([
      {
        title: "Payment",
        kind: "single",
        options: [
          { title: "Invoice", hours: 5, selected: true },
          {
            title: "Card",
            hours: 8,
            quantity: 2,
            nodes: [
              {
                title: "Extras",
                kind: "multi",
                options: [
                  { title: "3-D Secure", hours: 4, selected: true },
                  { title: "Refunds", hours: 9 },
                ],
              },
            ],
          },
        ],
      },
      { title: "Scope", kind: "group", options: [{ title: "Always", hours: 3 }] },
    ]);
    const all = whatIfEach(tree, settings);
    const same = (hours: number) => ({ expected: hours, p50: hours, p80: hours, p90: hours, p95: hours });
    // Card: twice (8 + 4) in the place of 5.
    expect(all).toEqual([
      { optionId: "o3", ...same(19) },
      { optionId: "o6", ...same(0) },
      { optionId: "o8", ...same(0) },
    ]);
  });

  it("leaves no rounding errors of large hours if only small hours remain", () => {
    const large = { optimistic: 0, likely: 40_000.01, pessimistic: 99_999.99 };
    const tree = plant([
      {
        title: "Way",
        kind: "single",
        options: [
          { title: "Large", hours: large, quantity: 9_999.99, selected: true },
          { title: "Small", hours: { optimistic: 0.01, likely: 0.02, pessimistic: 0.07 } },
          { title: "Exact", hours: 0.3 },
        ],
      },
      {
        title: "Scope",
        kind: "group",
        options: [{ title: "Rest", hours: { optimistic: 1, likely: 2, pessimistic: 9 } }],
      },
    ]);
    compareWithSelecting(tree, 0);
    compareWithSelecting(tree, 0.2);
  });

  it.each(examples)("equals the result of selecting it in $file", ({ tree }) => compareWithSelecting(tree, 0.2));

  it("equals the result of selecting it, for any tree", () => {
    fc.assert(fc.property(trees, fc.constantFrom(0, 0.2, 1), compareWithSelecting));
  });
});
