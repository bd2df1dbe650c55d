import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deselectOption, selectOption } from "../edit/edit-options.ts";
import type { NodeInput, Option, Tree } from "../shape.ts";
import { countedOptions, expectedFigures } from "../testing/oracle.ts";
import { plant, trees } from "../testing/trees.ts";
import { type Figures, figuresOf, momentsOf, noHours, spreadOf } from "./distribution.ts";
import { presentHours } from "./present-hours.ts";
import { rollUp, summaryHours, totalOf } from "./roll-up.ts";
import { hasTwoDecimals } from "./round.ts";

const settings = { correlation: 0.2, hourlyRate: null, currency: null };
const correlation = fc.constantFrom(0, 0.2, 0.5, 1);
const figureNames = [
  "optimistic",
  "likely",
  "pessimistic",
  "expected",
  "standardDeviation",
  "p50",
  "p80",
  "p90",
  "p95",
] as const;

const points = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });
const group = (...options: NonNullable<NodeInput["options"]>): NodeInput => ({
  title: "Scope",
  kind: "group",
  options,
});

function close(actual: Figures, expected: Figures): void {
  for (const name of figureNames) {
    const value = actual[name];
    const target = expected[name];
    expect(Math.abs(value - target), `${name}: ${value} for ${target}`).toBeLessThanOrEqual(1e-7 * Math.max(1, target));
  }
}

describe("the roll-up by hand", () => {
  // A: 2–5.25–13 h → μ (2 + 21 + 13)/6 = 6, σ √(4·7/7) = 2. B: 4–10.5–26 h → μ (4 + 42 + 26)/6 = 12, σ √(8·14/7) = 4, two of it.
  const tree = plant([
    {
      title: "Checkout",
      kind: "single",
      options: [
        { title: "A", selected: true, hours: points(2, 5.25, 13), role: "backend" },
        { title: "Not chosen", hours: 99 },
      ],
    },
    group({
      title: "Screens",
      quantity: 2,
      nodes: [group({ title: "B", hours: points(4, 10.5, 26), role: "design" })],
    }),
  ]);

  it("adds means, and variances with the correlation between them", () => {
    // σ = 2 and 8; Σσ² = 68, (Σσ)² = 100, S² = 0.8·68 + 0.2·100 = 74.4; M = 6 + 24 = 30.
    const result = rollUp(tree, settings);
    expect(result).toMatchObject({ optimistic: 10, likely: 26.25, pessimistic: 65, expected: 30 });
    expect(result.standardDeviation).toBeCloseTo(Math.sqrt(74.4), 12);
    // τ = 20·35/74.4 − 1 = 8.4086; α = τ·20/55 = 3.0577, β = τ·35/55 = 5.3509. Integrated numerically, the quantiles of
    // that beta distribution on 10 to 65 h are:
    expect(result.p50).toBeCloseTo(29.3802, 3);
    expect(result.p80).toBeCloseTo(37.5363, 3);
    expect(result.p90).toBeCloseTo(41.8223, 3);
    expect(result.p95).toBeCloseTo(45.2266, 3);
  });

  it("is independent at correlation 0 and adds deviations at 1", () => {
    expect(rollUp(tree, { ...settings, correlation: 0 }).standardDeviation).toBeCloseTo(Math.sqrt(68), 12);
    expect(rollUp(tree, { ...settings, correlation: 1 }).standardDeviation).toBeCloseTo(10, 12);
  });

  it("splits by node in tree order and by role in order of appearance", () => {
    const { byNode, byRole } = rollUp(tree, settings);
    expect(byNode.map(({ title, expected }) => [title, expected])).toEqual([
      ["Checkout", 6],
      ["Scope", 24],
      ["Scope", 24],
    ]);
    expect(byRole.map(({ role, expected }) => [role, expected])).toEqual([
      ["backend", 6],
      ["design", 24],
    ]);
    expect(byNode[0]?.standardDeviation).toBeCloseTo(2, 12);
  });

  it("adds up one role whatever its spelling, named as it appears first", () => {
    const roles = [" Backend", "backend", "BACK\u200bEND ", "", " ", "design"];
    const options = roles.map((role, at) => ({ title: `Option ${at}`, hours: points(2, 5.25, 13), role }));
    const mixed = plant([group(...options)]);
    // As they may be stored from before spellings were made equal.
    for (const [at, option] of (mixed.nodes[0]?.options ?? []).entries()) option.role = roles[at] ?? null;
    expect(rollUp(mixed, settings).byRole.map(({ role, expected }) => [role, expected])).toEqual([
      ["Backend", 18],
      [null, 12],
      ["design", 6],
    ]);
  });

  it("lists what makes it uncertain, largest first", () => {
    // B: (0.8·64 + 0.2·8·10)/74.4 = 67.2/74.4; A: (0.8·4 + 0.2·2·10)/74.4 = 7.2/74.4.
    const { uncertainty } = rollUp(tree, settings);
    expect(uncertainty.map(({ title }) => title)).toEqual(["B", "A"]);
    expect(uncertainty[0]?.share).toBeCloseTo(67.2 / 74.4, 12);
    expect(uncertainty[1]?.share).toBeCloseTo(7.2 / 74.4, 12);
  });

  it("shows hours to two decimals and the cost of exactly those hours", () => {
    const shown = presentHours(rollUp(tree, { ...settings, hourlyRate: 95.5, currency: "EUR" }));
    expect(shown).toMatchObject({ expected: 30, p50: 29.38, p80: 37.54, standardDeviation: 8.63 });
    expect(shown.cost).toMatchObject({ currency: "EUR", expected: 2865, p50: 2805.79, p80: 3585.07 });
    expect(presentHours(rollUp(tree, settings)).cost).toBeNull();
    expect(presentHours(rollUp(tree, { ...settings, hourlyRate: 0 })).cost).toMatchObject({ currency: null, p95: 0 });
  });

  it("names the counted options without a range, and leaves those without hours out", () => {
    const { withoutRange, uncertainty, byRole } = rollUp(
      plant([group({ title: "Fixed", hours: 8 }, { title: "No hours" }, { title: "Ranged", hours: points(1, 2, 3) })]),
      settings,
    );
    expect(withoutRange).toEqual(["o2"]);
    expect(uncertainty.map(({ optionId }) => optionId)).toEqual(["o4", "o2"]);
    expect(byRole.map(({ role }) => role)).toEqual([null]);
  });

  it("replaces hours by the override", () => {
    const option = { title: "A", hours: points(1, 2, 3), override: points(10, 20, 30) };
    expect(rollUp(plant([group(option)]), settings).expected).toBe(20);
    expect(rollUp(plant([group({ ...option, override: null })]), settings).expected).toBe(2);
  });

  it("returns zeros, never NaN, if nothing counts, nothing is uncertain or a quantity is 0", () => {
    for (const nodes of [
      [],
      [group({ title: "Free", hours: 0 })],
      [group({ title: "None", hours: points(1, 2, 3), quantity: 0 })],
    ]) {
      const result = rollUp(plant(nodes), settings);
      for (const name of figureNames) expect(result[name]).toBe(0);
      for (const { share } of result.uncertainty) expect(share).toBe(0);
    }
    const fixed = rollUp(plant([group({ title: "Fixed", hours: 7.1 })]), settings);
    for (const name of ["expected", "p50", "p80", "p90", "p95"] as const) expect(fixed[name]).toBe(7.1);
  });

  it("gives one option the percentiles of its own beta-PERT distribution, which stay within its bounds", () => {
    // 9–10–10: α = 1 + 4 = 5 and β = 1, so that Pq = 9 + q^(1/5).
    const { p50, p95 } = rollUp(plant([group({ title: "A", hours: points(9, 10, 10) })]), settings);
    expect([p50, p95]).toEqual([9 + 0.5 ** 0.2, 9 + 0.95 ** 0.2].map((hours) => expect.closeTo(hours, 9)));
    // 0–0–100: α = 1 and β = 5, so that Pq = 100·(1 − (1 − q)^(1/5)).
    const skewed = rollUp(plant([group({ title: "A", hours: points(0, 0, 100) })]), settings);
    expect(skewed.p80).toBeCloseTo(100 * (1 - 0.2 ** 0.2), 9);
  });

  it("need not have a higher P80 if an option gets more hours: a narrower range may lower it", () => {
    const p80Of = (optimistic: number) => {
      const { expected, p80 } = rollUp(plant([group({ title: "A", hours: points(optimistic, 50, 100) })]), settings);
      return { expected, p80 };
    };
    expect(p80Of(50).expected).toBeGreaterThan(p80Of(0).expected);
    expect(p80Of(50).p80).toBeLessThan(p80Of(0).p80);
  });

  it("is the mean at every percentile if the range or the deviation is below 1e-9 of it", () => {
    const narrow = (hours: number) => ({ ...noHours(), optimistic: hours, likely: hours, pessimistic: hours + 0.01 });
    for (const [hours, isExact] of [
      [9_000_000, false],
      [11_000_000, true],
    ] as const) {
      const sums = { ...narrow(hours), deviations: 1, variances: 1 };
      expect("mean" in spreadOf(momentsOf(sums, 0))).toBe(isExact);
      const tight = { ...narrow(hours), pessimistic: 2 * hours, deviations: 0.0115, variances: 0.0115 ** 2 };
      expect("mean" in spreadOf(momentsOf(tight, 0))).toBe(isExact);
    }
    const { expected, p50, p95 } = figuresOf({ ...narrow(11_000_000), deviations: 1, variances: 1 }, 0);
    expect([p50, p95]).toEqual([expected, expected]);
  });

  it("never adds percentiles up: for 30 equal options, the sum of their P80s has twice the margin of the P80 of their sum", () => {
    const alike = (count: number) =>
      plant([group(...Array.from({ length: count }, (_, index) => ({ title: `A${index}`, hours: points(4, 6, 14) })))]);
    const one = rollUp(alike(1), settings);
    const all = rollUp(alike(30), settings);
    const addedMargin = 30 * (one.p80 - one.expected);
    expect(addedMargin / (all.p80 - all.expected)).toBeGreaterThan(1.5);
    expect(30 * one.p95).toBeGreaterThan(1.1 * all.p95);
  });

  it("stays finite, ordered and within bounds at every limit at once", () => {
    const option = { title: "A", hours: points(0, 50_000, 100_000), quantity: 10_000, selected: true };
    const full = plant(Array.from({ length: 50 }, () => group(...Array.from({ length: 200 }, () => option))));
    const shown = presentHours(rollUp(full, { correlation: 1, hourlyRate: 1_000_000, currency: "EUR" }));
    expect(shown.pessimistic).toBe(10_000_000_000_000);
    expect(Object.values(shown.cost ?? {}).filter((value) => value === null)).toEqual([]);
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
    for (const name of figureNames) expect(Number.isFinite(shown[name])).toBe(true);
    expect(shown.p95).toBeLessThanOrEqual(shown.pessimistic);
  });
});

describe("the roll-up of any tree", () => {
  it("equals the documented formulas, in total, by node and by role", () => {
    fc.assert(
      fc.property(trees, correlation, (tree, rho) => {
        const counted = countedOptions(tree);
        const withHours = counted.filter(({ option }) => option.hours !== null || option.override !== null);
        const result = rollUp(tree, { ...settings, correlation: rho });
        close(result, expectedFigures(counted, rho));
        for (const node of result.byNode) {
          close(
            node,
            expectedFigures(
              counted.filter(({ nodeIds }) => nodeIds.includes(node.nodeId)),
              rho,
            ),
          );
        }
        for (const { role, ...figures } of result.byRole) {
          close(
            figures,
            expectedFigures(
              withHours.filter(({ option }) => option.role === role),
              rho,
            ),
          );
        }
        expect(result.byRole.map(({ role }) => role)).toEqual([...new Set(withHours.map(({ option }) => option.role))]);
        expect(result.uncertainty.map(({ optionId }) => optionId).sort()).toEqual(
          withHours.map(({ option }) => option.id).sort(),
        );
        expect(result.withoutRange).toEqual(withHours.filter(({ o, p }) => o === p).map(({ option }) => option.id));
      }),
      { numRuns: 300 },
    );
  });

  it("has ordered percentiles within the bounds, before and after rounding", () => {
    fc.assert(
      fc.property(trees, correlation, (tree, rho) => {
        const result = rollUp(tree, { ...settings, correlation: rho });
        const shown = presentHours(result);
        for (const part of [result, shown, ...result.byNode, ...shown.byNode, ...shown.byRole]) {
          const rising = [part.optimistic, part.p50, part.p80, part.p90, part.p95, part.pessimistic];
          expect(rising).toEqual(rising.toSorted((a, b) => a - b));
          expect(part.expected).toBeGreaterThanOrEqual(part.optimistic);
          expect(part.expected).toBeLessThanOrEqual(part.pessimistic);
        }
        for (const part of [shown, ...shown.byNode, ...shown.byRole]) {
          for (const name of figureNames) expect(hasTwoDecimals(part[name])).toBe(true);
        }
        expect(summaryHours(tree, { correlation: rho })).toEqual({
          expected: shown.expected,
          p50: shown.p50,
          p80: shown.p80,
          p90: shown.p90,
          p95: shown.p95,
        });
      }),
    );
  });

  it("expects more hours if any of the three points is higher", () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.constantFrom("optimistic", "likely", "pessimistic"), (tree, pick, name) => {
        const ranged = countedOptions(tree).filter(({ o, l, p, weight }) => o < l && l < p && weight > 0);
        const chosen = ranged[pick % (ranged.length || 1)];
        if (chosen === undefined) return;
        const { o, l, p } = chosen;
        const higher = { optimistic: o, likely: l, pessimistic: p };
        higher[name] = { optimistic: l, likely: p, pessimistic: p + 1 }[name];
        const raised = structuredClone(tree);
        for (const { option } of countedOptions(raised)) if (option.id === chosen.option.id) option.override = higher;
        expect(rollUp(raised, settings).expected).toBeGreaterThan(rollUp(tree, settings).expected);
      }),
    );
  });

  it("has a distribution with shapes of at least 1 wherever it has one", () => {
    fc.assert(
      fc.property(trees, correlation, (tree, rho) => {
        const sums = totalOf(tree);
        const spread = spreadOf(momentsOf(sums, rho));
        if ("mean" in spread) return;
        const { low, high, alpha, beta } = spread;
        expect(Math.min(alpha, beta)).toBeGreaterThanOrEqual(1);
        const tau = ((sums.optimistic + 4 * sums.likely + sums.pessimistic) / 6 - low) / (high - low);
        // Its mean is that of the sum, so the bound of 1 changes nothing but rounding errors.
        expect(alpha / (alpha + beta)).toBeCloseTo(tau, 7);
      }),
      { numRuns: 300 },
    );
  });

  it("has shares that add up to 1, fall, and are 0 only without uncertainty", () => {
    fc.assert(
      fc.property(trees, correlation, (tree, rho) => {
        const result = rollUp(tree, { ...settings, correlation: rho });
        const shares = result.uncertainty.map(({ share }) => share);
        const total = shares.reduce((sum, share) => sum + share, 0);
        expect(total).toBeCloseTo(result.standardDeviation === 0 ? 0 : 1, 9);
        expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      }),
    );
  });

  it("scales with quantity: every figure of a tree times two", () => {
    const twice = (tree: Tree): Tree => ({
      nodes: tree.nodes.map((node) => ({
        ...node,
        options: node.options.map((option): Option => ({ ...option, quantity: option.quantity * 2 })),
      })),
    });
    fc.assert(
      fc.property(trees, (tree) => {
        const once = rollUp(tree, settings);
        const doubled = { ...once };
        for (const name of figureNames) doubled[name] *= 2;
        close(rollUp(twice(tree), settings), doubled);
      }),
    );
  });

  it("is the same after deselecting and selecting again, dormant selections included", () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree, pick) => {
        const selected = countedOptions(tree).filter(({ option }) => option.selected);
        const chosen = selected[pick % (selected.length || 1)]?.option.id;
        if (chosen === undefined) return;
        const without = deselectOption(tree, chosen);
        if (!without.ok) throw new Error("refused");
        const again = selectOption(without.tree, chosen);
        if (!again.ok) throw new Error("refused");
        expect(rollUp(again.tree, settings)).toEqual(rollUp(tree, settings));
        expect(again.tree).toEqual(tree);
      }),
    );
  });
});
