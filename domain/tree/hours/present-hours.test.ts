import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NodeInput, TreeHours } from "../shape.ts";
import { examples } from "../testing/examples.ts";
import { plant, trees } from "../testing/trees.ts";
import { presentHours } from "./present-hours.ts";
import { rollUp } from "./roll-up.ts";

const settings = { correlation: 0.2, hourlyRate: null, currency: null };
const additive = ["optimistic", "likely", "pessimistic", "expected"] as const;
const units = (values: (number | null | undefined)[]): number =>
  values.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 100), 0);

const group = (...options: NonNullable<NodeInput["options"]>): NodeInput => ({
  title: "Scope",
  kind: "group",
  options,
});

describe("hours as they are returned", () => {
  it("splits three thirds of ten hours so that they add up to ten", () => {
    // Each is (2 + 4·3 + 6)/6 = 3.33…
    const option = { title: "A", hours: { optimistic: 2, likely: 3, pessimistic: 6 } };
    const tree = plant([
      group({ ...option, role: "a" }),
      group({ ...option, role: "b" }),
      group({ ...option, role: "c" }),
    ]);
    const { expected, byRole, byNode, cost } = presentHours(
      rollUp(tree, { ...settings, hourlyRate: 100, currency: "EUR" }),
    );
    expect(expected).toBe(10);
    expect(byRole.map((part) => part.expected)).toEqual([3.34, 3.33, 3.33]);
    expect(byNode.map((part) => part.expected)).toEqual([3.34, 3.33, 3.33]);
    expect(cost?.expected).toBe(1_000);
    expect(byRole.map((part) => part.expectedCost)).toEqual([334, 333, 333]);
  });

  it("keeps a node apart from its own options: nested nodes add up to what is left", () => {
    const third = { title: "A", hours: { optimistic: 2, likely: 3, pessimistic: 6 } };
    const tree = plant([group({ ...third, nodes: [group(third), group(third)] })]);
    const [whole, first, second] = presentHours(rollUp(tree, { ...settings, hourlyRate: 1, currency: "EUR" })).byNode;
    expect([whole, first, second].map((part) => part?.expected)).toEqual([10, 3.34, 3.33]);
    expect([whole, first, second].map((part) => part?.expectedCost)).toEqual([10, 3.34, 3.33]);
    const only = plant([group({ title: "Opens", nodes: [group(third), group(third), group(third)] })]);
    const { byNode } = presentHours(rollUp(only, settings));
    expect(byNode.map((part) => part.expected)).toEqual([10, 3.34, 3.33, 3.33]);
  });

  it("gives shares of six decimals that add up to 1", () => {
    const option = { title: "A", hours: { optimistic: 1, likely: 2, pessimistic: 3 } };
    const { uncertainty } = presentHours(rollUp(plant([group(option, option, option)]), settings));
    expect(uncertainty.map(({ share }) => share)).toEqual([0.333334, 0.333333, 0.333333]);
    const { uncertainty: none } = presentHours(rollUp(plant([group({ title: "Fixed", hours: 7 })]), settings));
    expect(none.map(({ share }) => share)).toEqual([0]);
  });

  const adds = (hours: TreeHours, tree: Parameters<typeof rollUp>[0]) => {
    const roots = tree.nodes.map(({ id }) => hours.byNode.find(({ nodeId }) => nodeId === id));
    for (const name of additive) {
      expect(units(hours.byRole.map((part) => part[name]))).toBe(units([hours[name]]));
      expect(units(roots.map((part) => part?.[name]))).toBe(units([hours[name]]));
    }
    expect(units(hours.byRole.map((part) => part.expectedCost))).toBe(
      hours.byRole.length === 0 ? 0 : units([hours.cost?.expected]),
    );
    expect(units(roots.map((part) => part?.expectedCost))).toBe(roots.length === 0 ? 0 : units([hours.cost?.expected]));
    const shares = hours.uncertainty.map(({ share }) => Math.round(share * 1e6));
    for (const [index, { share }] of hours.uncertainty.entries()) expect(share).toBe((shares[index] ?? -1) / 1e6);
    if (shares.some((share) => share > 0)) expect(shares.reduce((sum, share) => sum + share, 0)).toBe(1e6);
    else expect(hours.standardDeviation).toBeLessThan(0.01);
  };

  it.each(examples)(
    "adds up exactly in $file: roles and root nodes to the total, shares to 1",
    ({ tree, estimation }) => {
      adds(presentHours(rollUp(tree, { correlation: 0.2, ...estimation })), tree);
    },
  );

  it("adds up exactly for any tree, each part within two hundredths of what it was and in order", () => {
    fc.assert(
      fc.property(trees, fc.integer({ min: 0, max: 30_000 }), (tree, cents) => {
        const exact = rollUp(tree, { ...settings, hourlyRate: cents / 100 });
        const shown = presentHours(exact);
        adds(shown, tree);
        for (const [index, part] of shown.byNode.entries()) {
          const before = exact.byNode[index];
          for (const name of additive) expect(Math.abs(part[name] - (before?.[name] ?? -1))).toBeLessThan(0.02);
          const rising = [part.optimistic, part.p50, part.p80, part.p90, part.p95, part.pessimistic];
          expect(rising).toEqual(rising.toSorted((a, b) => a - b));
          const below = shown.byNode.filter((_, place) => exact.byNode[place]?.parent === index);
          for (const name of additive) {
            expect(units(below.map((nested) => nested[name]))).toBeLessThanOrEqual(units([part[name]]));
          }
          expect(units(below.map((nested) => nested.expectedCost))).toBeLessThanOrEqual(units([part.expectedCost]));
        }
      }),
      { numRuns: 300 },
    );
  });
});
