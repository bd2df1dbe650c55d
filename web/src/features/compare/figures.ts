import { summaryHours } from "../../../../domain/tree/hours/roll-up.ts";
import { rowsOf } from "../trees/outline/rows.ts";
import type { Content } from "./queries.ts";

/** The figures of one content. */
export interface Figures {
  readonly hours: ReturnType<typeof summaryHours>;
  readonly countedOptions: number;
  /** Null without a rate. */
  readonly cost: { readonly p80: number; readonly currency: string | null } | null;
}

/** Returns the figures of a content. */
export function figuresOfContent({ tree, correlation, hourlyRate, currency }: Content): Figures {
  const hours = summaryHours(tree, { correlation });
  const countedOptions = rowsOf(tree, new Set()).filter(({ option, isActive }) => option !== null && isActive).length;
  return { hours, countedOptions, cost: hourlyRate === null ? null : { p80: hours.p80 * hourlyRate, currency } };
}
