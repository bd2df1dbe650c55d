import type { RollUp } from "./roll-up.ts";
import { presentFigures, roundHundredth } from "./round.ts";
import type { TreeHours } from "./shape.ts";

/**
 * The roll-up as it is answered, hours to two decimals. `cost` is the hours shown times the rate, to two decimals, so
 * that a reader can check it; null where no rate is set.
 */
export function presentHours(rollUp: RollUp): TreeHours {
  const hours = presentFigures(rollUp);
  return {
    ...hours,
    byNode: rollUp.byNode.map((node) => ({ nodeId: node.nodeId, title: node.title, ...presentFigures(node) })),
    byRole: rollUp.byRole.map((part) => ({ role: part.role, ...presentFigures(part) })),
    uncertainty: rollUp.uncertainty,
    withoutRange: rollUp.withoutRange,
    cost: rollUp.rate && costOf(hours, rollUp.rate),
  };
}

function costOf(hours: TreeHoursFigures, rate: NonNullable<RollUp["rate"]>): TreeHours["cost"] {
  const cost = (value: number): number => roundHundredth(value * rate.hourlyRate);
  return {
    currency: rate.currency,
    expected: cost(hours.expected),
    p50: cost(hours.p50),
    p80: cost(hours.p80),
    p90: cost(hours.p90),
    p95: cost(hours.p95),
  };
}

type TreeHoursFigures = Pick<TreeHours, "expected" | "p50" | "p80" | "p90" | "p95">;
