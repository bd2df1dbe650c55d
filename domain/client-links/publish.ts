import { showsPrice, showsRange } from "../../contract/values/client-links.ts";
import { apportion } from "../tree/hours/apportion.ts";
import {
  addPoints,
  figuresOf,
  hoursAt,
  momentsOf,
  noHours,
  type Sums,
  spreadOf,
  sumOf,
} from "../tree/hours/distribution.ts";
import { counts, evaluate } from "../tree/hours/evaluate.ts";
import { type Node, type Option, pointsOf } from "../tree/shape.ts";
import type { Snapshot } from "../versions/shape.ts";
import type { LinkSettings, Published, PublishedNode, PublishedOption, Units } from "./shape.ts";

/** A range holds in 80 of 100 cases: it leaves out as many below as above. */
const ENDS = [0.1, 0.9] as const;

/** Summands of every total: what is fixed (null), and each option that can be chosen, with the fixed scope below it. */
type Parts = Map<string | null, Sums>;

/**
 * Returns what a link shows of a content. Each part gets its figures here, once, in whole steps: every total that a client
 * ever sees is a sum of them, so that no combination says more than they do.
 *
 * The figures of what counts now add up to its total, rounded once. A P80 is no sum of P80s, so each part is its expected hours
 * times one factor: that of what counts now. Likewise the ends of a range are each figure times one factor, so that
 * they say nothing about a part that its figure does not. Those of what does not count now are rounded on their own.
 */
export function publish(snapshot: Snapshot, settings: LinkSettings): Published {
  const { tree, title, description, assumptions, currency } = snapshot;
  const parts: Parts = new Map([[null, noHours()]]);
  for (const node of tree.nodes) gather(parts, node, 1, null, settings.choices);
  const counted = evaluate(tree).weights;
  const units = unitsOf(parts, (id) => id === null || counted.has(id), snapshot, settings);
  const isShown = (id: string) => settings.choices || counted.has(id);
  const inNodes = (nodes: readonly Node[], weight: number): PublishedNode[] =>
    nodes
      .map(({ id, title, kind, required, min, max, ...node }) => ({
        ...{ id, title, kind },
        // How many could be chosen tells how many there are.
        ...(settings.choices ? { required, min, max } : { required: false, min: null, max: null }),
        description: shownText(node.description, settings),
        options: node.options.filter((option) => isShown(option.id)).map((option) => ofOption(option, kind, weight)),
      }))
      .filter(({ options }) => settings.choices || options.length > 0);
  const ofOption = (option: Option, kind: Node["kind"], weight: number): PublishedOption => ({
    id: option.id,
    title: option.title,
    description: shownText(option.description, settings),
    selected: counts({ kind }, option),
    units: units.get(option.id) ?? null,
    points: settings.shows === "hoursRange" ? stepsOf(option, weight * option.quantity, settings.step) : null,
    requires: settings.choices ? option.requires : [],
    excludes: settings.choices ? option.excludes : [],
    nodes: inNodes(option.nodes, weight * option.quantity),
  });
  return {
    title,
    description: shownText(description, settings),
    assumptions: assumptions === "" ? null : assumptions,
    currency: showsPrice(settings.shows) ? currency : null,
    fixed: units.get(null) as Units,
    nodes: inNodes(tree.nodes, 1),
  };
}

const shownText = (text: string, { descriptions }: LinkSettings): string | null =>
  descriptions && text !== "" ? text : null;

/** Adds the hours of a node to the part that they belong to. Without choices, all that counts is fixed. */
function gather(parts: Parts, node: Node, weight: number, part: string | null, choices: boolean): void {
  for (const option of node.options) {
    if (!choices && !counts(node, option)) continue;
    const own = choices && node.kind !== "group" ? option.id : part;
    const sums = parts.get(own) ?? noHours();
    parts.set(own, sums);
    const points = pointsOf(option);
    if (points !== null) addPoints(sums, points, weight * option.quantity);
    for (const nested of option.nodes) gather(parts, nested, weight * option.quantity, own, choices);
  }
}

function unitsOf(
  parts: Parts,
  isCounted: (id: string | null) => boolean,
  { correlation, hourlyRate }: Snapshot,
  { shows, percentile, step }: LinkSettings,
): Map<string | null, Units> {
  const now = sumOf([...parts].filter(([id]) => isCounted(id)).map(([, sums]) => sums));
  // Where nothing is chosen yet, all parts together say how uncertain they are.
  const { expected, p80, low, high } = measured(now.pessimistic > 0 ? now : sumOf([...parts.values()]), correlation);
  const factor = percentile === "p80" && expected > 0 ? p80 / expected : 1;
  const figure = expected * factor;
  const isRange = showsRange(shows) && figure > 0;
  const [lower, upper] = isRange ? [Math.min(low / figure, 1), Math.max(high / figure, 1)] : [1, 1];

  const perHour = (showsPrice(shows) ? (hourlyRate ?? 0) : 1) * factor;
  const ids = [...parts.keys()];
  const exact = ids.map((id) => (momentsOf(parts.get(id) as Sums, correlation).expected * perHour) / step);
  const figures = inSteps(ids, isCounted, exact);
  const lows = inSteps(
    ids,
    isCounted,
    figures.map((units) => units * lower),
    figures.map(() => 0),
    figures,
  );
  const highs = inSteps(
    ids,
    isCounted,
    figures.map((units) => units * upper),
    figures,
  );
  return new Map(
    ids.map((id, at) => [id, { figure: figures[at] as number, low: lows[at] as number, high: highs[at] as number }]),
  );
}

/** Rounds amounts to whole steps, between their bounds: those that count so that they add up to their rounded sum, others each. */
function inSteps(
  ids: readonly (string | null)[],
  isCounted: (id: string | null) => boolean,
  exact: readonly number[],
  low?: readonly number[],
  high?: readonly number[],
): number[] {
  const units = exact.map((amount) => Math.round(amount));
  const places = ids.flatMap((id, at) => (isCounted(id) ? [at] : []));
  const those = (list: readonly number[]) => places.map((at) => list[at] as number);
  const amounts = those(exact);
  const whole = Math.round(amounts.reduce((sum, amount) => sum + amount, 0));
  const bounds = low && { low: those(low), ...(high && { high: those(high) }) };
  for (const [index, given] of apportion(amounts, whole, bounds).entries()) units[places[index] as number] = given;
  return units;
}

/** Returns what the hours of a sum are expected to be, what is enough in 80 of 100 cases, and between what they are in as many. */
function measured(sums: Sums, correlation: number) {
  const { expected, p80 } = figuresOf(sums, correlation);
  const [low = expected, high = expected] = hoursAt(spreadOf(momentsOf(sums, correlation)), ENDS);
  return { expected, p80, low, high };
}

function stepsOf(option: Option, weight: number, step: number): PublishedOption["points"] {
  const points = pointsOf(option);
  if (points === null) return null;
  const steps = (hours: number) => Math.round((hours * weight) / step);
  const { optimistic, likely, pessimistic } = points;
  return { optimistic: steps(optimistic), likely: steps(likely), pessimistic: steps(pessimistic) };
}

/** Digits of the total that a step leaves, where nobody has chosen one. */
const DIGITS = 3;

/** Returns the step with which the total of what counts now has three digits: 1, 10, 100, 0.1 … */
export function defaultStep(
  { tree, correlation, hourlyRate }: Snapshot,
  { shows }: Pick<LinkSettings, "shows">,
  most: number,
): number {
  const parts: Parts = new Map([[null, noHours()]]);
  for (const node of tree.nodes) gather(parts, node, 1, null, false);
  const hours = momentsOf(parts.get(null) as Sums, correlation).expected;
  const total = hours * (showsPrice(shows) ? (hourlyRate ?? 0) : 1);
  if (total <= 0) return 1;
  const exponent = Math.max(Math.floor(Math.log10(total)) + 1 - DIGITS, -2);
  return exponent < 0 ? 1 / 10 ** -exponent : Math.min(10 ** exponent, most);
}
