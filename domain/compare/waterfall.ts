import { type Figures, figuresOf, noHours, type Sums, sumOf } from "../tree/hours/distribution.ts";
import { totalOf } from "../tree/hours/roll-up.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import type { Node } from "../tree/shape.ts";
import type { Snapshot } from "../versions/shape.ts";

/** What of a content the hours follow from. */
export type Counted = Pick<Snapshot, "tree" | "correlation">;

/** What one root node, or the correlation, contributes to the way from one content to another, in hours to two decimals. */
export interface Step {
  /** The root node; null for the correlation. */
  readonly nodeId: string | null;
  readonly title: string | null;
  readonly expected: number;
  readonly p80: number;
}

/** The hours at both ends, and the steps between them. */
export interface Waterfall {
  readonly before: Pick<Figures, "expected" | "p80">;
  readonly after: Pick<Figures, "expected" | "p80">;
  readonly steps: readonly Step[];
}

const NOTHING: Sums = noHours();

/**
 * Goes from one content to another, root node by root node in the order of `to`, then those that are gone, then the
 * correlation, and returns by how much the totals change on the way. So the steps add up to the difference of both ends,
 * also those of the P80, of which nobody else can say what a part contributes: it depends on the order. Steps that change
 * neither are left out.
 */
export function waterfall(from: Counted, to: Counted): Waterfall {
  const [before, after] = [rootsOf(from), rootsOf(to)];
  const ids = [...new Set([...after.keys(), ...before.keys()])];
  const present = new Map([...before].map(([id, { sums }]) => [id, sums]));
  // Always in the same order, at the end in that of the roll-up of `to`: the same hours to the last bit.
  const totals = (correlation: number) => rounded(sumOf(ids.map((id) => present.get(id) ?? NOTHING)), correlation);
  const steps: Step[] = [];
  const first = rounded(totalOf(from.tree), from.correlation);
  let last = first;
  const step = (nodeId: string | null, title: string | null, next: typeof first): void => {
    const [expected, p80] = [roundHundredth(next.expected - last.expected), roundHundredth(next.p80 - last.p80)];
    if (expected !== 0 || p80 !== 0) steps.push({ nodeId, title, expected, p80 });
    last = next;
  };
  for (const id of ids) {
    const [old, now] = [before.get(id), after.get(id)];
    if (isSame(old?.sums ?? NOTHING, now?.sums ?? NOTHING)) continue;
    if (now) present.set(id, now.sums);
    else present.delete(id);
    step(id, (now ?? old)?.title ?? null, totals(from.correlation));
  }
  step(null, null, totals(to.correlation));
  return { before: first, after: last, steps };
}

function rounded(sums: Sums, correlation: number): Waterfall["before"] {
  const { expected, p80 } = figuresOf(sums, correlation);
  return { expected: roundHundredth(expected), p80: roundHundredth(p80) };
}

const rootsOf = ({ tree }: Counted) =>
  new Map(tree.nodes.map((node: Node) => [node.id, { title: node.title, sums: totalOf({ nodes: [node] }) }]));

const isSame = (one: Sums, other: Sums): boolean =>
  (Object.keys(one) as (keyof Sums)[]).every((name) => one[name] === other[name]);
