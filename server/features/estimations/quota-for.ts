import type { ReadableEstimation } from "./look-up-store.ts";

/**
 * Returns how much of a quota of an estimation's owner somebody with that access may fill: half of it, unless it is the owner.
 * Otherwise others could stop the owner's own work, with an estimation that was handed over for that for instance.
 */
export const quotaFor = ({ access }: Pick<ReadableEstimation, "access">, quota: number): number =>
  access === "owner" ? quota : halfOf(quota);

/** What others may fill of a quota without asking. */
export const halfOf = (quota: number): number => Math.ceil(quota / 2);
