import type { estimations } from "../../../contract/endpoints/estimations.ts";
import type { Config } from "../../config.ts";
import { failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { byInstant } from "../../http/list-page.ts";
import type { EstimationQuery } from "./list-store.ts";
import type { ReadableEstimation } from "./look-up-store.ts";

const DAY_MS = 86_400_000;

type Retention = Pick<Config, "deletedEstimationRetentionDays">;

/** Returns the time before which deleted estimations are removed for good. */
export const retainedSince = ({ deletedEstimationRetentionDays: days }: Retention, now: Date): Date =>
  new Date(now.getTime() - days * DAY_MS);

/**
 * Returns whether a deleted estimation can still be restored. Once its time is over it cannot, even if it still exists, because
 * its removal may have begun.
 */
export const isRestorable = (
  { deletedAt }: Pick<ReadableEstimation, "deletedAt">,
  config: Retention,
  now: Date,
): boolean => deletedAt !== null && deletedAt >= retainedSince(config, now);

/** The list of a user's own deleted estimations. Their time of update is when they were deleted. */
export const DELETED = {
  sort: "updatedAt",
  status: ["deleted"],
  access: ["owner"],
} as const satisfies Partial<EstimationQuery>;

export const lastDeletedFirst = byInstant("estimations.deletedAt", (row: ReadableEstimation) => row.updatedAt);

/** Refuses (400) filters and orders that the list of deleted estimations does not have. */
export function refuseFilters(query: Call<typeof estimations.listEstimations>["query"]): void {
  const { status, access, tag, team, owner, q, sort } = query;
  const given = Object.entries({ status, access, tag, team, owner, q, sort: sort === "updatedAt" ? undefined : sort });
  const faults = given
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({
      ...({ path: `/${name}`, in: "query", code: "not_allowed" } as const),
      message: "cannot be combined with `deleted`",
    }));
  if (faults.length > 0) failWith(faults);
}
