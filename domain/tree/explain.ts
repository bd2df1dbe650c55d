import type { HoursExplanation } from "../../contract/tree-hours.ts";
import { addPoints, figuresOf, meanOf, noHours, quantiles, type Sums, varianceOf } from "./distribution.ts";
import { walkCounted } from "./evaluate.ts";
import { type RollUpSettings, totalOf } from "./roll-up.ts";
import { roundHundredth } from "./round.ts";
import { type Option, pointsOf, type ThreePoint, type Tree } from "./shape.ts";

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
  const clarify = counted
    .map(({ option, points, weight }) => ({
      optionId: option.id,
      title: option.title,
      lowersP80: roundHundredth(figures.p80 - figuresOf(clarified(total, points, weight), correlation).p80),
    }))
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
    percentiles: quantiles.map(([name, z]) => ({ name, z, hours: roundHundredth(figures[name]) })),
    clarify,
  };
}

/** Returns the sums with some points' range replaced by their mean. */
function clarified(total: Sums, points: ThreePoint, weight: number): Sums {
  const own = noHours();
  addPoints(own, points, weight);
  const mean = weight * meanOf(points);
  return {
    optimistic: total.optimistic - own.optimistic + mean,
    likely: total.likely - own.likely + mean,
    pessimistic: total.pessimistic - own.pessimistic + mean,
    deviations: Math.max(total.deviations - own.deviations, 0),
    variances: Math.max(total.variances - own.variances, 0),
  };
}

const formulas = {
  mean: "m = (o + 4l + p)/6 for the optimistic, likely and pessimistic hours o, l and p of an option; μ = w·m, where w is its quantity times the quantities of the counted options above it",
  deviation: "σ = w·√((m − o)(p − m)/7), the standard deviation of the beta-PERT distribution",
  total: "M = Σμ and S² = (1 − ρ)Σσ² + ρ(Σσ)², where ρ is the correlation",
  percentile: "Pq = exp(ln M − k/2 + z·√k) with k = ln(1 + S²/M²), at least Σw·o and at most Σw·p",
};
