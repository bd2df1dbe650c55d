import { limits } from "../../../../contract/limits.ts";
import { type AccessLevel, accessLevels } from "../../../../contract/rights.ts";
import { type EstimationStatus, estimationStatuses } from "../../../../contract/values/statuses.ts";

const sorts = ["updatedAt", "createdAt"] as const;

/** What the list shows, as its address says: every filter and order that the API has. */
export interface ListSearch {
  readonly q?: string | undefined;
  /** Those with one of these; left out: with any. The same for `access` and `tag`. */
  readonly status?: readonly EstimationStatus[] | undefined;
  readonly access?: readonly AccessLevel[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly sort?: (typeof sorts)[number] | undefined;
}

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((text): text is string => typeof text === "string" && text !== "");

const orNone = <T>(values: readonly T[]): readonly T[] | undefined => (values.length === 0 ? undefined : values);

const someOf = <T extends string>(known: readonly T[], value: unknown): readonly T[] | undefined => {
  const given = textsOf(value);
  return orNone(known.filter((one) => given.includes(one)));
};

/** Returns tags without repetitions, at most as many as the API takes, without those that no estimation can have. */
const readTags = (value: unknown): readonly string[] | undefined => {
  const tags = textsOf(value).filter((tag) => [...tag].length <= limits.tagLength);
  return orNone([...new Set(tags)].slice(0, limits.filterTags));
};

/** Reads an address; what makes no sense is left out. */
export const readListSearch = (search: Record<string, unknown>): ListSearch => ({
  q: textsOf(search.q)[0],
  status: someOf(estimationStatuses, search.status),
  access: someOf(accessLevels, search.access),
  tag: readTags(search.tag),
  sort: someOf(sorts, search.sort)?.[0],
});

/** Returns whether the list leaves anything out. */
export const isFiltered = ({ sort, ...filters }: ListSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined);
