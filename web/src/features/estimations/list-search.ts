import { accessLevels } from "../../../../contract/rights.ts";
import { type EstimationStatus, estimationStatuses } from "../../../../contract/statuses.ts";

const sorts = ["updatedAt", "createdAt"] as const;

/** Levels of access, and `shared` for all but the owner's. */
export const accessFilters = ["owner", "shared", ...accessLevels.filter((level) => level !== "owner")] as const;
export type AccessFilter = (typeof accessFilters)[number];

/** What the list shows, as its address says. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly status?: EstimationStatus | undefined;
  readonly access?: AccessFilter | undefined;
  readonly tag?: string | undefined;
  readonly sort?: (typeof sorts)[number] | undefined;
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((known) => known === value);

const text = (value: unknown): string | undefined =>
  (typeof value === "string" || typeof value === "number") && value !== "" ? String(value) : undefined;

/** Reads an address; what makes no sense is left out. */
export const readListSearch = (search: Record<string, unknown>): ListSearch => ({
  q: text(search.q),
  status: oneOf(estimationStatuses, search.status),
  access: oneOf(accessFilters, search.access),
  tag: text(search.tag),
  sort: oneOf(sorts, search.sort),
});
