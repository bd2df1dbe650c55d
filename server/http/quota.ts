import type { EstimationLimit, Quota } from "../../contract/errors.ts";
import { fail } from "./failure.ts";

/** How many records of a kind an estimation has, and how many of them are the caller's. */
interface Used {
  readonly all: number;
  readonly own: number;
}

/**
 * Refuses (409) more than `limit` by all authors together, unless the caller has fewer than `kept`: so nobody can use
 * up what others need.
 */
export function refuseBeyondShares(
  quota: EstimationLimit,
  { limit, kept }: { readonly limit: number; readonly kept: number },
  { all, own }: Used,
): void {
  if (own >= kept) refuseBeyond(quota, limit, all + 1);
}

/** Refuses (409, naming the quota) where a user, or an estimation, has `used` more of something than `limit`. */
export function refuseBeyond(quota: Quota | EstimationLimit, limit: number, used: number): void {
  if (used > limit) fail("limit_reached", { details: { quota, limit } });
}
