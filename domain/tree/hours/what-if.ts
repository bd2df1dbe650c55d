import type { WhatIf } from "../../../contract/values/tree-hours.ts";
import { type Node, type Option, pointsOf, type Tree } from "../shape.ts";
import { addPoints, addSums, figuresOf, noHours, p80Of, type Sums, sumOf, sumsWithout } from "./distribution.ts";
import { counts } from "./evaluate.ts";
import { type RollUpSettings, totalOf } from "./roll-up.ts";
import { roundHundredth } from "./round.ts";

/** An option that is not selected: what selecting it would add, and what it would replace. */
interface Candidate {
  option: Option;
  /** Whether it would count at once when selected: its node is active and not a `group`. */
  isOpen: boolean;
  gained: Sums;
  /** The place of what it would displace among the counted options; null for nothing. */
  displaced: { start: number; end: number } | null;
}

/** One pass over the tree: the options not selected, and the hours of each counted option, in tree order. */
interface Pass {
  candidates: Candidate[];
  counted: Sums[];
}

/**
 * Returns for every unselected option, in tree order, by how many hours selecting it would change the roll-up as shown,
 * including everything that then counts below it, and without the sibling that it replaces in a `single` node. 0 if it
 * would stay dormant, and in a `group`, whose options count anyway. One pass over the tree sums every option as if it
 * counted; each candidate then needs a few additions and the closed form.
 */
export function whatIfEach(tree: Tree, { correlation }: Pick<RollUpSettings, "correlation">): WhatIf[] {
  return tryEach(tree, (sums) => shown(sums, correlation)).map(({ optionId, now, after }) => {
    const by = (name: keyof typeof now): number => difference(after[name], now[name]);
    return {
      optionId,
      expected: by("expected"),
      p50: by("p50"),
      p80: by("p80"),
      p90: by("p90"),
      p95: by("p95"),
    };
  });
}

/** Returns `p80` of `whatIfEach` by the option's id; computing one percentile instead of four takes a third of the time. */
export function p80IfEach(tree: Tree, { correlation }: Pick<RollUpSettings, "correlation">): Map<string, number> {
  const all = tryEach(tree, (sums) => roundHundredth(p80Of(sums, correlation)));
  return new Map(all.map(({ optionId, now, after }) => [optionId, difference(after, now)]));
}

/** Returns what `figureOf` says of the total now and with each unselected option selected, in tree order. */
function tryEach<T>(tree: Tree, figureOf: (sums: Sums) => T): { optionId: string; now: T; after: T }[] {
  const { candidates, counted }: Pass = passOver(tree);
  const total = totalOf(tree);
  const without = sumsWithout(counted);
  const now = figureOf(total);
  return candidates.map(({ option, isOpen, gained, displaced }) => {
    const rest = displaced === null ? total : without(displaced.start, displaced.end);
    return { optionId: option.id, now, after: isOpen ? figureOf(sumOf([rest, gained])) : now };
  });
}

/** The difference of two figures as shown; one that rounds to −0 is 0. */
const difference = (after: number, now: number): number => roundHundredth(after - now) || 0;

function passOver(tree: Tree): Pass {
  const pass: Pass = { candidates: [], counted: [] };
  for (const node of tree.nodes) gather(pass, node, 1, true);
  return pass;
}

/** Returns what counts of a node if the node does; adds the candidates in it and below it, and its counted options. */
function gather(pass: Pass, node: Node, weight: number, isActive: boolean): Sums {
  const sums = noHours();
  let displaced: Candidate["displaced"] = null;
  const rivals: Candidate[] = [];
  for (const option of node.options) {
    const optionWeight = weight * option.quantity;
    const own = noHours();
    const isCounted = counts(node, option);
    if (!option.selected) {
      const candidate = { option, isOpen: isActive && !isCounted, gained: own, displaced: null };
      pass.candidates.push(candidate);
      rivals.push(candidate);
    }
    const points = pointsOf(option);
    if (points !== null) addPoints(own, points, optionWeight);
    const start = pass.counted.length;
    if (isActive && isCounted) pass.counted.push({ ...own });
    for (const nested of option.nodes) addSums(own, gather(pass, nested, optionWeight, isActive && isCounted));
    if (!isCounted) continue;
    addSums(sums, own);
    if (node.kind === "single" && isActive) displaced = { start, end: pass.counted.length };
  }
  for (const rival of rivals) rival.displaced = displaced;
  return sums;
}

/** The figures that are compared, as they are returned. */
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
