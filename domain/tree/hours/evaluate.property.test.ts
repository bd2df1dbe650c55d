import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deselectOption, selectOption } from "../edit/edit-options.ts";
import { type OptionPlace, placesOfOptions } from "../edit/locate.ts";
import { type Node, type Option, type Tree, walk } from "../shape.ts";
import { trees } from "../testing/trees.ts";
import { evaluate } from "./evaluate.ts";
import { rollUp, summaryHours } from "./roll-up.ts";

const settings = { correlation: 0.2, hourlyRate: null, currency: null };

function optionsOf(tree: Tree): Option[] {
  const options: Option[] = [];
  walk(tree.nodes, { option: (option) => void options.push(option) });
  return options;
}

/** Whether an option counts, read from the option upwards. */
function isCounted({ option, parent }: OptionPlace): boolean {
  const { node, parent: above } = parent;
  return (option.selected || node.kind === "group") && (above === null || isCounted(above));
}

describe("the evaluation of any tree", () => {
  it("counts exactly the options that are chosen up to the root, and none in an inactive node", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const { activeNodes, weights } = evaluate(tree);
        for (const [id, place] of placesOfOptions(tree)) {
          expect(weights.has(id)).toBe(isCounted(place));
          if (weights.has(id)) expect(activeNodes.has(place.parent.node.id)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("counts no hours of inactive nodes, whatever they contain", () => {
    fc.assert(
      fc.property(trees, fc.nat(1_000), (tree, likely) => {
        const { weights } = evaluate(tree);
        const hours = { optimistic: likely, likely, pessimistic: likely };
        const changed = mapOptions(tree, (option) =>
          weights.has(option.id) ? option : { ...option, hours, override: hours, quantity: 7 },
        );
        expect(rollUp(changed, settings)).toEqual(rollUp(tree, settings));
      }),
      { numRuns: 300 },
    );
  });
});

describe("selecting an option of any tree and deselecting it", () => {
  it("restores tree and hours if no sibling was deselected", () => {
    let restored = 0;
    fc.assert(
      fc.property(trees, fc.nat(), (tree, pick) => {
        const unselected = optionsOf(tree).filter(({ selected }) => !selected);
        const chosen = unselected[pick % (unselected.length || 1)]?.id;
        if (chosen === undefined) return;
        const selected = selectOption(tree, chosen);
        if (!selected.ok) throw new Error("refused");
        if (selected.deselected.length > 0) return;
        const again = deselectOption(selected.tree, chosen);
        if (!again.ok) throw new Error("refused");
        expect(again.tree).toEqual(tree);
        expect(rollUp(again.tree, settings)).toEqual(rollUp(tree, settings));
        restored += 1;
      }),
      { numRuns: 300 },
    );
    expect(restored).toBeGreaterThan(50);
  });
});

describe("the roll-up of any tree", () => {
  it("is the same in any order of nodes and options", () => {
    fc.assert(
      fc.property(trees, fc.infiniteStream(fc.nat()), (tree, numbers) => {
        const other = reordered(tree, () => numbers.next().value ?? 0);
        expect(sorted(optionsOf(other).map(({ id }) => id))).toEqual(sorted(optionsOf(tree).map(({ id }) => id)));
        const [before, after] = [rollUp(tree, settings), rollUp(other, settings)];
        // Sums that are added in another order may differ in their last bits.
        for (const name of ["optimistic", "likely", "pessimistic", "expected", "p50", "p80", "p90", "p95"] as const)
          expect(Math.abs(after[name] - before[name])).toBeLessThanOrEqual(1e-9 * Math.max(1, before[name]));
        for (const name of ["expected", "p50", "p80", "p90", "p95"] as const) {
          const [a, b] = [summaryHours(tree, settings)[name], summaryHours(other, settings)[name]];
          expect(Math.abs(a - b)).toBeLessThanOrEqual(0.0100001);
        }
        expect(sorted(after.byRole.map(({ role }) => String(role)))).toEqual(
          sorted(before.byRole.map(({ role }) => String(role))),
        );
        for (const { nodeId, expected } of after.byNode) {
          const same = before.byNode.find((node) => node.nodeId === nodeId);
          expect(Math.abs(expected - (same?.expected ?? -1))).toBeLessThanOrEqual(1e-9 * Math.max(1, expected));
        }
        expect(after.byNode).toHaveLength(before.byNode.length);
      }),
      { numRuns: 300 },
    );
  });
});

const sorted = (texts: readonly string[]): string[] => [...texts].sort();

const mapOptions = (tree: Tree, change: (option: Option) => Option): Tree => {
  const below = (nodes: readonly Node[]): Node[] =>
    nodes.map((node) => ({
      ...node,
      options: node.options.map((option) => change({ ...option, nodes: below(option.nodes) })),
    }));
  return { nodes: below(tree.nodes) };
};

/** The same nodes and options in an order that `next` decides. */
function reordered(tree: Tree, next: () => number): Tree {
  const shuffle = <T>(values: readonly T[]): T[] =>
    values
      .map((value) => ({ value, key: next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);
  const below = (nodes: readonly Node[]): Node[] =>
    shuffle(nodes).map((node) => ({
      ...node,
      options: shuffle(node.options).map((option) => ({ ...option, nodes: below(option.nodes) })),
    }));
  return { nodes: below(tree.nodes) };
}
