import type { Estimation } from "../contract/endpoints/estimations.ts";
import type { Fault } from "../contract/values/faults.ts";

/** Returns what is wrong with an estimation's rate: an amount without its currency says nothing. */
export function rateFaults({
  hourlyRate,
  currency,
}: Partial<Pick<Estimation, "hourlyRate" | "currency">>): readonly Fault[] {
  if ((hourlyRate ?? null) === null || (currency ?? null) !== null) return [];
  return [{ path: "/currency", in: "body", code: "required", message: "is required where hourlyRate is set" }];
}
