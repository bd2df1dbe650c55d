import type { Estimation } from "../../../contract/endpoints/estimations.ts";
import type { ReadableEstimation } from "./look-up-store.ts";

/** Returns the record as the API shows it to a reader. */
export function presentEstimation(row: ReadableEstimation): Estimation {
  return {
    id: row.id,
    ownerId: row.ownerId,
    title: row.title,
    description: row.description,
    assumptions: row.assumptions,
    clientName: row.clientName,
    tags: row.tags,
    hourlyRate: row.hourlyRate,
    currency: row.currency,
    correlation: row.correlation,
    rounding: row.rounding,
    status: row.status,
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    reviewState: row.reviewState,
    reviewStale: row.reviewStale,
    isExample: row.isExample,
    hours: { expected: row.hoursExpected, p50: row.hoursP50, p80: row.hoursP80, p90: row.hoursP90, p95: row.hoursP95 },
    access: row.access,
    viaTeam: row.viaTeam,
    ...(row.deletedAt ? { deletedAt: row.deletedAt.toISOString() } : {}),
  };
}
