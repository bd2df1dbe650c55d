import type { Step, Waterfall } from "../../../../domain/compare/waterfall.ts";
import { roundHundredth } from "../../../../domain/tree/hours/round.ts";
import { compareTexts } from "./texts.ts";

const t = compareTexts.waterfall;

/** Bars that are drawn; the smallest others are one bar. */
const BARS = 12;
/** Which hours are drawn. */
export type Which = keyof typeof t.which;

/** A bar of the chart, from `start` to `end` hours. */
interface Bar {
  readonly key: string;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** What is written at it: a total, or a change; rounded so that what is written adds up. */
  readonly written: number;
  readonly kind: "total" | "more" | "less";
}

/** Returns what a step is called. */
export const nameOf = ({ nodeId, title }: Step): string => (nodeId === null ? t.correlation : (title ?? ""));

/** Hours of a waterfall as they are written. */
interface Written {
  readonly before: number;
  readonly after: number;
  /** For each step. */
  readonly steps: ReadonlyMap<Step, number>;
}

/** From this difference on, in hours, tenths of an hour say nothing. */
const LARGE = 100;

/**
 * Returns hours rounded so that the steps add up to the difference of the totals as they are written: each is the difference
 * of the rounded hours before and after it.
 */
export function writtenHours({ before, after, steps }: Waterfall, which: Which): Written {
  const levels = [before[which]];
  // In hundredths, as all hours are: sums of fractions drift, and end beside the half that `after` is rounded at.
  for (const step of steps) levels.push(roundHundredth((levels.at(-1) ?? 0) + step[which]));
  const parts = Math.max(...levels) - Math.min(...levels) >= LARGE ? 1 : 10;
  const rounded = levels.map((hours) => Math.round(hours * parts));
  const change = (at: number) => ((rounded[at + 1] ?? 0) - (rounded[at] ?? 0)) / parts;
  return {
    before: (rounded[0] ?? 0) / parts,
    after: Math.round(after[which] * parts) / parts,
    steps: new Map(steps.map((step, at) => [step, change(at)])),
  };
}

/** Returns the hours that the axis begins with: 0, or a round number where all hours are far from it. */
export function axisStart(bars: readonly Bar[]): number {
  const levels = bars.flatMap(({ kind, start, end }) => (kind === "total" ? [end] : [start, end]));
  const [lowest, highest] = [Math.min(...levels), Math.max(...levels)];
  const range = highest - lowest;
  if (range <= 0 || lowest < highest / 2) return 0;
  const round = 10 ** Math.floor(Math.log10(range));
  return roundHundredth(Math.max(0, Math.floor((lowest - range / 4) / round) * round));
}

/** Returns the bars from one total to the other: the largest steps in their order, then the sum of the others. */
export function barsOf(waterfall: Waterfall, which: Which): Bar[] {
  const { before, after, steps } = waterfall;
  const written = writtenHours(waterfall, which);
  const writtenOf = (some: readonly Step[]) => some.reduce((sum, step) => sum + (written.steps.get(step) ?? 0), 0);
  const moved = steps.filter((step) => step[which] !== 0);
  const bySize = moved.toSorted((one, other) => Math.abs(other[which]) - Math.abs(one[which]));
  const drawn = new Set(moved.length > BARS ? bySize.slice(0, BARS - 1) : moved);
  const rest = moved.filter((step) => !drawn.has(step));
  const total = { start: 0, kind: "total" } as const;
  const bars: Bar[] = [{ ...total, key: "before", title: t.before, end: before[which], written: written.before }];
  let at = before[which];
  const add = (key: string, title: string, some: readonly Step[]): void => {
    const by = some.reduce((sum, step) => sum + step[which], 0);
    bars.push({ key, title, start: at, end: at + by, written: writtenOf(some), kind: by > 0 ? "more" : "less" });
    at += by;
  };
  for (const step of moved.filter((one) => drawn.has(one))) add(step.nodeId ?? "correlation", nameOf(step), [step]);
  if (rest.length > 0) add("rest", t.others(rest.length), rest);
  return [...bars, { ...total, key: "after", title: t.after, end: after[which], written: written.after }];
}
