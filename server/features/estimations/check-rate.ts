import type { EstimationFields } from "../../../contract/endpoints/estimations.ts";
import { rateFaults } from "../../../domain/rate-faults.ts";
import { failWith } from "../../http/failure.ts";

/** Refuses (400) an estimation with a rate and no currency, as it would be after the request. */
export function checkRate(estimation: Partial<EstimationFields>): void {
  const faults = rateFaults(estimation);
  if (faults.length > 0) failWith(faults);
}
