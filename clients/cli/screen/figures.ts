import type { ThreePoint } from "../../../contract/values/tree.ts";

const one = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const two = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** A total, to a tenth: what comes after that is no knowledge. */
export const figure = (hours: number): string => one.format(hours);

/** Money, to a whole unit: hours are less certain than that. */
export const money = (amount: number, currency: string | null): string =>
  `${whole.format(amount)} ${currency ?? ""}`.trim();

/** What somebody has entered, as it is. */
export const exact = (hours: number): string => two.format(hours);

/** A difference with its sign. */
export const difference = (hours: number): string =>
  hours === 0 ? "0" : `${hours > 0 ? "+" : "−"}${one.format(Math.abs(hours))}`;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** `4–16–34`, or one number where nothing can vary. */
export const points = ({ optimistic, likely, pessimistic }: ThreePoint): string =>
  optimistic === pessimistic ? exact(likely) : [optimistic, likely, pessimistic].map(exact).join("–");

export const times = ({ optimistic, likely, pessimistic }: ThreePoint, factor: number): ThreePoint => ({
  optimistic: optimistic * factor,
  likely: likely * factor,
  pessimistic: pessimistic * factor,
});

/** A range as a bar of `width` columns, on the scale from 0 to `most`. What does not count has an open dot. */
export function bar(range: ThreePoint, { most, width, counts }: BarScale): string {
  const cell = (hours: number) => (most === 0 ? 0 : Math.min(width - 1, Math.round((hours / most) * (width - 1))));
  const [from, dot, to] = [cell(range.optimistic), cell(range.likely), cell(range.pessimistic)];
  const cells = Array.from({ length: width }, (_, at) => {
    if (at === dot) return counts ? "●" : "○";
    if (at === from) return "├";
    if (at === to) return "┤";
    return at > from && at < to ? "─" : " ";
  });
  return cells.join("");
}

interface BarScale {
  /** Hours at the right end. */
  readonly most: number;
  readonly width: number;
  readonly counts: boolean;
}

/** A share of 1 as a bar of at most `width` columns. */
export const share = (part: number, width: number): string => "█".repeat(Math.round(part * width));
