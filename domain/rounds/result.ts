import type { RoundResult } from "../../contract/values/round.ts";
import { estimatesNeeded } from "../../contract/values/round-statuses.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { agreementOf, disagrees } from "./agreement.ts";
import { medianPoints } from "./median.ts";
import { poolOf } from "./pool.ts";

/** Returns how many people a round needs to be revealed, and an option to have its estimates added up. */
export const neededIn = ({ anonymous }: { readonly anonymous: boolean }): number =>
  anonymous ? estimatesNeeded.anonymous : estimatesNeeded.named;

/** What came of an option, beside the estimates themselves. */
export type Summary = Omit<RoundResult, "estimates">;

/** Returns what came of the estimates of an option, which `skipped` people could not judge. */
export function summaryOf(
  estimates: readonly ThreePoint[],
  { skipped, needed }: { readonly skipped: number; readonly needed: number },
): Summary {
  const people = estimates.length;
  if (people < needed)
    return { people, skipped, tooFew: true, agreement: null, disagrees: false, pool: null, median: null };
  const agreement = agreementOf(estimates);
  return {
    ...{ people, skipped, tooFew: false },
    agreement,
    disagrees: disagrees(agreement),
    pool: poolOf(estimates),
    median: medianPoints(estimates),
  };
}
