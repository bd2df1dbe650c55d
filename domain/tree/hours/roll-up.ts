import { roleKey, writtenRole } from "../roles.ts";
import { type Node, type Option, pointsOf, type ThreePoint, type Tree } from "../shape.ts";
import { addPoints, addSums, type Figures, figuresOf, noHours, type Sums, varianceOf } from "./distribution.ts";
import { counts } from "./evaluate.ts";
import { presentFigures } from "./round.ts";

/** What the roll-up needs of an estimation besides the tree. `correlation` is ρ, 0 to 1. */
export interface RollUpSettings {
  correlation: number;
  hourlyRate: number | null;
  currency: string | null;
}

/** The roll-up before rounding; `presentHours` rounds it for the response. */
export interface RollUp extends Figures {
  /** `parent` is the index in this list of the node above; null for a root node. */
  byNode: ({ nodeId: string; title: string; parent: number | null } & Figures)[];
  byRole: ({ role: string | null } & Figures)[];
  uncertainty: { optionId: string; title: string; share: number }[];
  withoutRange: string[];
  rate: { hourlyRate: number; currency: string | null } | null;
}

interface Contribution {
  optionId: string;
  title: string;
  /** σ until every option has been visited, then the share. */
  share: number;
}

/** One pass over the tree: sums are collected on the way back up, so no part of it is visited twice. */
interface Pass {
  correlation: number;
  byNode: RollUp["byNode"];
  /** The sums of each role, by its key. */
  roles: Map<string, { role: string | null; sums: Sums }>;
  /** The same by what is written, as there are few roles and many options. */
  spellings: Map<string | null, Sums>;
  contributions: Contribution[];
  withoutRange: string[];
}

/**
 * Rolls up the counted options, in hours. `byNode` lists every active node in tree order with everything counted below
 * it; `byRole` lists the roles in order of first appearance, null among them; two spellings of one role (`roleKey`) are one. `uncertainty` gives each counted option
 * that has hours its Euler share of the variance, ((1 − ρ)σi² + ρσiΣσ)/S², largest first and ties in tree order: the
 * shares sum to 1, or are all 0 if nothing is uncertain. `withoutRange` lists counted options whose three points are
 * equal. Nothing is rounded. Figures of parts do not sum to the whole's, except `optimistic`, `likely`, `pessimistic`
 * and `expected`.
 */
export function rollUp(tree: Tree, settings: RollUpSettings): RollUp {
  const { correlation, hourlyRate, currency } = settings;
  const pass: Pass = {
    correlation,
    byNode: [],
    roles: new Map(),
    spellings: new Map(),
    contributions: [],
    withoutRange: [],
  };
  const total = noHours();
  for (const node of tree.nodes) addSums(total, gather(pass, node, 1, null));
  return {
    ...figuresOf(total, correlation),
    byNode: pass.byNode,
    byRole: Array.from(pass.roles.values(), ({ role, sums }) => ({ role, ...figuresOf(sums, correlation) })),
    uncertainty: shares(pass.contributions, total, correlation),
    withoutRange: pass.withoutRange,
    rate: hourlyRate === null ? null : { hourlyRate, currency },
  };
}

/** Returns the figures stored with an estimation: like the roll-up's, to two decimals, without the cost of the splits. */
export function totalFigures(tree: Tree, { correlation }: Pick<RollUpSettings, "correlation">): Figures {
  return presentFigures(figuresOf(totalOf(tree), correlation));
}

/** The figures that are shown with an estimation and a version. */
type Summary = Pick<Figures, "expected" | "p50" | "p80" | "p90" | "p95">;

/** Returns those figures, without the bounds and the deviation that are stored beside them. */
export function summaryOf({ expected, p50, p80, p90, p95 }: Figures): Summary {
  return { expected, p50, p80, p90, p95 };
}

/** Returns those of `totalFigures`. */
export function summaryHours(tree: Tree, settings: Pick<RollUpSettings, "correlation">): Summary {
  return summaryOf(totalFigures(tree, settings));
}

/** Returns the sums of everything that counts. */
export function totalOf(tree: Tree): Sums {
  const total = noHours();
  for (const node of tree.nodes) addSums(total, sumsOf(node, 1));
  return total;
}

/** Returns the sums of a node, added in the order of `gather`: the same hours to the last bit. */
function sumsOf(node: Node, weight: number): Sums {
  const sums = noHours();
  for (const option of node.options) {
    if (!counts(node, option)) continue;
    const optionWeight = weight * option.quantity;
    const points = pointsOf(option);
    if (points !== null) addPoints(sums, points, optionWeight);
    for (const nested of option.nodes) addSums(sums, sumsOf(nested, optionWeight));
  }
  return sums;
}

const pending: RollUp["byNode"][number] = { nodeId: "", title: "", parent: null, ...figuresOf(noHours(), 0) };

function gather(pass: Pass, node: Node, weight: number, parent: number | null): Sums {
  const sums = noHours();
  // Takes the node's place before the nodes below it, whose sums it needs.
  const at = pass.byNode.push(pending) - 1;
  for (const option of node.options) {
    if (!counts(node, option)) continue;
    const optionWeight = weight * option.quantity;
    const points = pointsOf(option);
    if (points !== null) note(pass, option, points, optionWeight, addPoints(sums, points, optionWeight));
    for (const nested of option.nodes) addSums(sums, gather(pass, nested, optionWeight, at));
  }
  pass.byNode[at] = { nodeId: node.id, title: node.title, parent, ...figuresOf(sums, pass.correlation) };
  return sums;
}

function note(pass: Pass, option: Option, points: ThreePoint, weight: number, deviation: number): void {
  addPoints(sumsOfRole(pass, option.role), points, weight);
  pass.contributions.push({ optionId: option.id, title: option.title, share: deviation });
  if (points.optimistic === points.pessimistic) pass.withoutRange.push(option.id);
}

function sumsOfRole({ roles, spellings }: Pass, role: string | null): Sums {
  const known = spellings.get(role);
  if (known) return known;
  const key = roleKey(role);
  const entry = roles.get(key) ?? { role: writtenRole(role), sums: noHours() };
  roles.set(key, entry);
  spellings.set(role, entry.sums);
  return entry.sums;
}

function shares(contributions: Contribution[], total: Sums, correlation: number): Contribution[] {
  const variance = varianceOf(total, correlation);
  // Sorting is stable, and contributions are in tree order.
  contributions.sort((a, b) => b.share - a.share);
  for (const contribution of contributions) {
    const deviation = contribution.share;
    const own = (1 - correlation) * deviation * deviation + correlation * deviation * total.deviations;
    contribution.share = variance === 0 ? 0 : Math.min(own / variance, 1);
  }
  return contributions;
}
