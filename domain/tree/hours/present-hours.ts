import type { TreeHours } from "../shape.ts";
import { apportion } from "./apportion.ts";
import type { Figures } from "./distribution.ts";
import { type Additive, presentParts } from "./present-parts.ts";
import type { RollUp } from "./roll-up.ts";
import { presentFigures, roundHundredth } from "./round.ts";

/** Shares are shown in millionths. */
const SHARES = 1e6;

/**
 * Returns the roll-up as the API shows it. Hours have two decimals, and parts sum to their whole exactly: the roles to
 * the total, the root nodes to the total, and nested nodes, together with their node's own options, to their node.
 * Shares have six decimals and sum to 1. `cost` is the hours shown times the rate, to two decimals, so that a reader
 * can check it, and its parts sum likewise; null if no rate is set.
 */
export function presentHours(rollUp: RollUp): TreeHours {
  const hours = presentFigures(rollUp);
  const rate = rollUp.rate?.hourlyRate ?? null;
  const roles = presentParts(rollUp.byRole, hours);
  const roleCosts = splitCost(roles, hours.expected, rate);
  const nodes = presentNodes(rollUp, hours, rate);
  return {
    ...hours,
    byNode: rollUp.byNode.map(({ nodeId, title }, index) => ({ nodeId, title, ...(nodes[index] as Part) })),
    byRole: rollUp.byRole.map(({ role }, index) => ({
      role,
      ...(roles[index] as Figures),
      expectedCost: roleCosts?.[index] ?? null,
    })),
    uncertainty: presentShares(rollUp.uncertainty),
    withoutRange: rollUp.withoutRange,
    cost: rollUp.rate && costOf(hours, rollUp.rate),
  };
}

type Part = Figures & { expectedCost: number | null };

/** Nodes from the roots down, so that each whole precedes its parts. */
function presentNodes({ byNode }: RollUp, total: Figures, rate: number | null): Part[] {
  const shown: Part[] = [];
  const below = Map.groupBy(byNode.keys(), (index) => byNode[index]?.parent ?? null);
  const split = (parent: number | null, whole: Additive, rest: Additive | undefined, cost: number | null): void => {
    const places = below.get(parent) ?? [];
    const parts = presentParts(
      places.map((index) => byNode[index] as Figures),
      whole,
      rest,
    );
    const own = roundHundredth(parts.reduce((left, { expected }) => left - expected, whole.expected));
    const costs = splitCost([...parts, { expected: own }], whole.expected, rate, cost);
    for (const [at, index] of places.entries())
      shown[index] = { ...(parts[at] as Figures), expectedCost: costs?.[at] ?? null };
  };
  split(null, total, undefined, null);
  for (const index of byNode.keys()) {
    const places = below.get(index);
    const whole = shown[index];
    if (places && whole) {
      const exact = byNode[index] as Figures;
      const rest = without(
        exact,
        places.map((place) => byNode[place] as Figures),
      );
      split(index, whole, rest, whole.expectedCost);
    }
  }
  return shown;
}

/** Returns the hours of a node's own options, without the nodes below them. */
function without(whole: Additive, parts: readonly Additive[]): Additive {
  const rest = (name: keyof Additive): number =>
    Math.max(
      parts.reduce((left, part) => left - part[name], whole[name]),
      0,
    );
  return {
    optimistic: rest("optimistic"),
    likely: rest("likely"),
    pessimistic: rest("pessimistic"),
    expected: rest("expected"),
  };
}

/** Returns the cost of the whole, by default its hours times the rate, in parts that sum to it; null without a rate. */
function splitCost(
  parts: readonly { expected: number }[],
  wholeHours: number,
  rate: number | null,
  cost: number | null = null,
): number[] | null {
  if (rate === null) return null;
  const cents = Math.round((cost ?? roundHundredth(wholeHours * rate)) * 100);
  return apportion(
    parts.map(({ expected }) => Math.max(expected, 0) * rate * 100),
    cents,
  ).map((units) => units / 100);
}

function presentShares(uncertainty: RollUp["uncertainty"]): TreeHours["uncertainty"] {
  const whole = uncertainty.some(({ share }) => share > 0) ? SHARES : 0;
  const units = apportion(
    uncertainty.map(({ share }) => share * SHARES),
    whole,
  );
  return uncertainty.map(({ optionId, title }, index) => ({ optionId, title, share: (units[index] ?? 0) / SHARES }));
}

function costOf(hours: Figures, rate: NonNullable<RollUp["rate"]>): TreeHours["cost"] {
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
