import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Node, pointsOf, type Tree } from "../shape.ts";
import { examples } from "../testing/examples.ts";
import { countedOptions } from "../testing/oracle.ts";
import { plant, trees } from "../testing/trees.ts";
import { explainHours } from "./explain.ts";
import { presentHours } from "./present-hours.ts";
import { rollUp } from "./roll-up.ts";

const settings = { correlation: 0.2, hourlyRate: null, currency: null };

/** The tree with the mean of one option in the place of its range. */
function clarified({ nodes }: Tree, id: string): Tree {
  const inNodes = (list: readonly Node[]): Node[] =>
    list.map((node) => ({
      ...node,
      options: node.options.map((option) => {
        const points = pointsOf(option);
        const below = { ...option, nodes: inNodes(option.nodes) };
        if (option.id !== id || points === null) return below;
        const mean = (points.optimistic + 4 * points.likely + points.pessimistic) / 6;
        return { ...below, override: { optimistic: mean, likely: mean, pessimistic: mean } };
      }),
    }));
  return { nodes: inNodes(nodes) };
}

describe("the explanation of hours", () => {
  it("shows the sums of the formulas, worked by hand", () => {
    // σ = √(4·7/7) = 2 and 2·√(8·14/7) = 8: Σσ = 10, Σσ² = 68, S² = 0.8·68 + 0.2·100 = 74.4; M = 6 + 24.
    const tree = plant([
      {
        title: "Scope",
        kind: "group",
        options: [
          { title: "A", hours: { optimistic: 2, likely: 5.25, pessimistic: 13 } },
          { title: "B", hours: { optimistic: 4, likely: 10.5, pessimistic: 26 }, quantity: 2 },
          { title: "No range", hours: 0 },
          { title: "No hours" },
        ],
      },
    ]);
    const explanation = explainHours(tree, settings);
    expect(explanation).toMatchObject({
      correlation: 0.2,
      options: 3,
      expected: 30,
      sumOfDeviations: 10,
      sumOfVariances: 68,
      variance: 74.4,
      standardDeviation: 8.63,
    });
    // 5 h without a range add to both bounds and to the mean. τ = 20·35/74.4 − 1 = 8.4086.
    expect(explanation).toMatchObject({ optimistic: 10, pessimistic: 65, alpha: 3.06, beta: 5.35 });
    expect(explanation.percentiles).toContainEqual({ name: "p80", probability: 0.8, hours: 37.54 });
    // Without B's range, a beta distribution on 26 to 37 h with the mean 30 and σ = 2 is left, with a P80 of 31.78; without
    // A's, one on 14 to 58 h with σ = 8 and a P80 of 37.12.
    expect(explanation.clarify.map(({ title, lowersP80 }) => [title, lowersP80])).toEqual([
      ["B", 5.76],
      ["A", 0.42],
    ]);
  });

  it("names the five options whose mean in the place of the range lowers P80 most, and by how much", () => {
    for (const { tree } of examples) {
      const p80 = (of: Tree) => rollUp(of, settings).p80;
      const all = countedOptions(tree)
        .map(({ option }) => ({ id: option.id, by: p80(tree) - p80(clarified(tree, option.id)) }))
        .sort((a, b) => b.by - a.by);
      const { clarify } = explainHours(tree, settings);
      expect(clarify.map(({ optionId }) => optionId)).toEqual(all.slice(0, 5).map(({ id }) => id));
      clarify.forEach(({ lowersP80 }, index) => {
        expect(lowersP80).toBeCloseTo(all[index]?.by ?? -1, 1);
      });
    }
  });

  it("agrees with the roll-up for any tree", () => {
    fc.assert(
      fc.property(trees, fc.constantFrom(0, 0.2, 0.5, 1), (tree, correlation) => {
        const shown = presentHours(rollUp(tree, { ...settings, correlation }));
        const { expected, standardDeviation, percentiles, clarify } = explainHours(tree, { correlation });
        expect({ expected, standardDeviation }).toEqual({
          expected: shown.expected,
          standardDeviation: shown.standardDeviation,
        });
        for (const { name, hours } of percentiles) expect(hours).toBe(shown[name]);
        expect(clarify.length).toBeLessThanOrEqual(5);
        for (const { lowersP80 } of clarify) expect(lowersP80).toBeGreaterThan(0);
      }),
    );
  });
});
