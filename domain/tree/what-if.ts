import type { WhatIf } from "../../contract/tree-hours.ts";
import { addPoints, addSums, figuresOf, noHours, type Sums } from "./distribution.ts";
import { counts } from "./evaluate.ts";
import { type RollUpSettings, totalOf } from "./roll-up.ts";
import { roundHundredth } from "./round.ts";
import { type Node, type Option, pointsOf, type Tree } from "./shape.ts";

/** An option that is not selected: what selecting it would add, and what it would replace. */
interface Candidate {
  option: Option;
  /** Whether it would count at once when selected: its node is active and not a `group`. */
  isOpen: boolean;
  gained: Sums;
  displaced: Sums | null;
}

/**
 * Returns for every unselected option, in tree order, by how many hours selecting it would change the roll-up as shown,
 * including everything that then counts below it, and without the sibling that it replaces in a `single` node. 0 if it
 * would stay dormant, and in a `group`, whose options count anyway. One pass over the tree sums every option as if it
 * counted; each candidate then needs a few additions and the closed form.
 */
export function whatIfEach(tree: Tree, { correlation }: Pick<RollUpSettings, "correlation">): WhatIf[] {
  const candidates: Candidate[] = [];
  for (const node of tree.nodes) gather(candidates, node, 1, true);
  const total = totalOf(tree);
  const now = shown(total, correlation);
  return candidates.map(({ option, isOpen, gained, displaced }) => {
    const then = isOpen ? shown(changed(total, gained, displaced), correlation) : now;
    // A difference that rounds to −0 is 0.
    const by = (name: keyof typeof now): number => roundHundredth(then[name] - now[name]) || 0;
    return {
      optionId: option.id,
      expected: by("expected"),
      p50: by("p50"),
      p80: by("p80"),
      p90: by("p90"),
      p95: by("p95"),
    };
  });
}

/** What counts of a node if the node does, and the candidates in it and below it. */
function gather(candidates: Candidate[], node: Node, weight: number, isActive: boolean): Sums {
  const sums = noHours();
  let displaced: Sums | null = null;
  const rivals: Candidate[] = [];
  for (const option of node.options) {
    const optionWeight = weight * option.quantity;
    const own = noHours();
    const isCounted = counts(node, option);
    if (!option.selected) {
      const candidate = { option, isOpen: isActive && !isCounted, gained: own, displaced: null };
      candidates.push(candidate);
      rivals.push(candidate);
    }
    const points = pointsOf(option);
    if (points !== null) addPoints(own, points, optionWeight);
    for (const nested of option.nodes) addSums(own, gather(candidates, nested, optionWeight, isActive && isCounted));
    if (!isCounted) continue;
    addSums(sums, own);
    if (node.kind === "single") displaced = own;
  }
  for (const rival of rivals) rival.displaced = displaced;
  return sums;
}

function changed(total: Sums, gained: Sums, displaced: Sums | null): Sums {
  const by = (name: keyof Sums): number => Math.max(total[name] + gained[name] - (displaced?.[name] ?? 0), 0);
  return {
    optimistic: by("optimistic"),
    likely: by("likely"),
    pessimistic: by("pessimistic"),
    deviations: by("deviations"),
    variances: by("variances"),
  };
}

/** The figures that are compared, as they are answered. */
function shown(sums: Sums, correlation: number): Omit<WhatIf, "optionId"> {
  const figures = figuresOf(sums, correlation);
  return {
    expected: roundHundredth(figures.expected),
    p50: roundHundredth(figures.p50),
    p80: roundHundredth(figures.p80),
    p90: roundHundredth(figures.p90),
    p95: roundHundredth(figures.p95),
  };
}
