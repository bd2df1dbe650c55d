import type { HoursExplanation } from "../../../contract/values/tree-hours.ts";
import { type Option, pointsOf, type ThreePoint, type Tree } from "../shape.ts";
import {
  addPoints,
  figuresOf,
  meanOf,
  noHours,
  p80Of,
  percentiles,
  type Sums,
  spreadOf,
  sumOf,
  sumsWithout,
  varianceOf,
} from "./distribution.ts";
import { walkCounted } from "./evaluate.ts";
import { type RollUpSettings, totalOf } from "./roll-up.ts";
import { roundHundredth } from "./round.ts";

/** How many of the options with the most useful clarification are named. */
const NAMED = 5;

/**
 * Returns how the hours of a tree are computed: the formulas, their sums, and the options whose clarification would
 * lower P80 most. To clarify an option means to replace its range by its mean: the expected hours stay the same, and
 * `lowersP80` is the number of hours by which P80 falls. Hours to two decimals.
 */
export function explainHours(tree: Tree, { correlation }: Pick<RollUpSettings, "correlation">): HoursExplanation {
  const counted: { option: Option; points: ThreePoint; weight: number }[] = [];
  walkCounted(tree.nodes, {
    option: (option, weight) => {
      const points = pointsOf(option);
      if (points !== null) counted.push({ option, points, weight });
    },
  });
  const total = totalOf(tree);
  const figures = figuresOf(total, correlation);
  const spread = spreadOf(figures);
  const without = sumsWithout(counted.map(({ points, weight }) => weighted(points, weight)));
  const clarify = counted
    .map(({ option, points, weight }, index) => {
      const mean = meanOf(points);
      const exact = weighted({ optimistic: mean, likely: mean, pessimistic: mean }, weight);
      const clarified = p80Of(sumOf([without(index, index + 1), exact]), correlation);
      return { optionId: option.id, title: option.title, lowersP80: roundHundredth(figures.p80 - clarified) };
    })
    .filter(({ lowersP80 }) => lowersP80 > 0)
    .sort((a, b) => b.lowersP80 - a.lowersP80)
    .slice(0, NAMED);
  return {
    formulas,
    correlation,
    options: counted.length,
    expected: roundHundredth(figures.expected),
    sumOfDeviations: roundHundredth(total.deviations),
    sumOfVariances: roundHundredth(total.variances),
    variance: roundHundredth(varianceOf(total, correlation)),
    standardDeviation: roundHundredth(figures.standardDeviation),
    optimistic: roundHundredth(figures.optimistic),
    pessimistic: roundHundredth(figures.pessimistic),
    alpha: "mean" in spread ? null : roundHundredth(spread.alpha),
    beta: "mean" in spread ? null : roundHundredth(spread.beta),
    percentiles: percentiles.map(([name, probability]) => ({
      name,
      probability,
      hours: roundHundredth(figures[name]),
    })),
    clarify,
  };
}

/** Returns the sums of one option's points, `weight` times. */
function weighted(points: ThreePoint, weight: number): Sums {
  const sums = noHours();
  addPoints(sums, points, weight);
  return sums;
}

const formulas = {
  mean: "m = (o + 4l + p)/6 for the optimistic, likely and pessimistic hours o, l and p of an option; μ = w·m, where w is its quantity times the quantities of the counted options above it",
  deviation: "σ = w·√((m − o)(p − m)/7), the standard deviation of the beta-PERT distribution",
  total: "M = Σμ and S² = (1 − ρ)Σσ² + ρ(Σσ)², where ρ is the correlation",
  percentile:
    "Pq = A + (B − A)·x, where x is the q-quantile of the beta distribution with α = τ(M − A)/(B − A) and β = τ(B − M)/(B − A), A = Σw·o, B = Σw·p and τ = (M − A)(B − M)/S² − 1; M where S or B − A is below 1e-9·M",
};
