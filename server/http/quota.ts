import type { EstimationLimit, Quota } from "../../contract/errors.ts";
import { fail } from "./failure.ts";

/** Refuses (409, naming the quota) where a user, or an estimation, has `used` more of something than `limit`. */
export function refuseBeyond(quota: Quota | EstimationLimit, limit: number, used: number): void {
  if (used > limit) fail("limit_reached", { details: { quota, limit } });
}
