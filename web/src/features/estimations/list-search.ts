import { limits } from "../../../../contract/limits.ts";
import { type AccessLevel, accessLevels } from "../../../../contract/rights.ts";
import { type ListColumn, listColumns } from "../../../../contract/values/list-columns.ts";
import { type EstimationStatus, estimationStatuses } from "../../../../contract/values/statuses.ts";

const sorts = ["updatedAt", "createdAt"] as const;

/** What the list shows, as its address says: every filter and order that the API has, and the columns of a saved view. */
export interface ListSearch {
  readonly q?: string | undefined;
  /** Those with one of these; left out: with any. The same for `access` and `tag`. */
  readonly status?: readonly EstimationStatus[] | undefined;
  readonly access?: readonly AccessLevel[] | undefined;
  readonly tag?: readonly string[] | undefined;
  /** Id of a team: only those that are shared with it. */
  readonly team?: string | undefined;
  /** Id of a user: only those that they own. */
  readonly owner?: string | undefined;
  readonly sort?: (typeof sorts)[number] | undefined;
  /** The columns that do not show, or "none"; left out: those that the reader prefers. */
  readonly hide?: readonly (ListColumn | "none")[] | undefined;
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
  team: textsOf(search.team)[0],
  owner: textsOf(search.owner)[0],
  sort: someOf(sorts, search.sort)?.[0],
  hide: someOf(["none", ...listColumns], search.hide),
});

/** Returns whether the list leaves anything out. */
export const isFiltered = ({ sort, hide, ...filters }: ListSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** What the switch above the list shows: everything, the reader's own, what others share, or what is shared with a team. */
export type Scope = "all" | "mine" | "shared" | { readonly team: string };

const MINE: readonly AccessLevel[] = ["owner"];
const OF_OTHERS = accessLevels.filter((level) => level !== "owner");

/** Returns what the filters of the list amount to. */
export function scopeOf({ access, team }: ListSearch): Scope {
  if (team !== undefined) return { team };
  if (access === undefined) return "all";
  return access.includes("owner") ? (access.length === 1 ? "mine" : "all") : "shared";
}

/** Returns the filters of the list for a position of the switch. */
export function filtersOf(scope: Scope): Pick<ListSearch, "access" | "team"> {
  if (typeof scope === "object") return { access: undefined, team: scope.team };
  return { access: { all: undefined, mine: MINE, shared: OF_OTHERS }[scope], team: undefined };
}
