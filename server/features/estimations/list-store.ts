import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { type AccessLevel, accessLevels } from "../../../contract/rights.ts";
import { type EstimationStatus, estimationStatuses } from "../../../contract/statuses.ts";
import { type Database, prepareRows } from "../../db/database.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { estimationListings, estimationReaders, estimations, estimationTexts } from "./tables.ts";

/** A list of estimations, and where in it a page begins. */
export interface EstimationQuery {
  readonly userId: string;
  readonly sort: Sort;
  readonly limit: number;
  readonly status?: readonly (EstimationStatus | "deleted")[] | undefined;
  readonly access?: readonly AccessLevel[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly q?: string | undefined;
  /** The last row already read: its sort value and its id. */
  readonly after: { readonly at: Date; readonly id: string } | null;
}

type Sort = "updatedAt" | "createdAt";

/** A row of a list that is looked through for a text: one that has it, or the last that was looked at. */
type ScannedRow = ReadableEstimation & {
  readonly hasText: boolean;
  /** Its number among those that were looked at, from 1. */
  readonly number: number;
};

const NAMES = [...Object.keys(getTableColumns(estimations)), "access"];
const columns = sql.join(Object.values(getTableColumns(estimations)), sql`, `);
const pattern = sql`${sql.placeholder("pattern")}::text`;

/** As a query of its own, so that the planner estimates the same for any number and does not plan anew for each. */
const most = (name: "limit" | "rows") => sql`(select ${sql.placeholder(name)}::int)`;

/** What is asked for. Apart from the tables, and so hidden from the planner: it makes one plan for all that may be asked. */
const asked = sql`(select ${sql.placeholder("userId")}::text as user_id, ${sql.placeholder("tags")}::text[] as tags,
  ${sql.placeholder("statuses")}::text[] as statuses, ${sql.placeholder("levels")}::text[] as levels,
  ${sql.placeholder("at")}::timestamptz as at, ${sql.placeholder("id")}::text as id offset 0) as asked`;

/** The estimation of a found row: looked up one by one, because a planner that misjudges their number reads all there are. */
const estimationOf = (id: SQL) => sql`cross join lateral (
  select * from ${estimations} where ${estimations.id} = ${id} offset 0) ${estimations}`;

/** Most pairs of a status and a level that a list with one tag can have. */
const RANGES = estimationStatuses.length * accessLevels.length;

/** Reads the first rows of one range of the index for `sort`. */
const rangeOf = (sort: Sort, wanted: SQL, tag: SQL, status: SQL, level: SQL): SQL => {
  const { userId, estimationId, ...columns } = estimationListings;
  const at = columns[sort];
  return sql`
    (select ${at} as at, ${estimationId}, ${columns.level} from ${estimationListings}
      where ${userId} = asked.user_id and ${columns.tag} = ${tag}
        and ${columns.status} = ${status} and ${columns.level} = ${level}
        and (${at}, ${estimationId}) < (asked.at, asked.id)
      order by ${at} desc, ${estimationId} desc limit ${wanted})`;
};

/**
 * The first rows of a list with one tag or none, in its order. Each asked status with its level is a range of an index that is in that order;
 * they are merged as they are read, so that few more rows are read than are wanted, however many there are.
 */
const listed = (sort: Sort, wanted: SQL): SQL => {
  const ranges = Array.from({ length: RANGES }, (_, before) => {
    const at = sql.raw(`${before + 1}`);
    return rangeOf(sort, wanted, sql`asked.tags[${at}]`, sql`asked.statuses[${at}]`, sql`asked.levels[${at}]`);
  });
  const all = sql.join(ranges, sql` union all `);
  return sql`select * from (${all}) as listed order by at desc, estimation_id desc limit ${wanted}`;
};

/**
 * The same for a list with several tags: what has two of them is in two ranges, and shown once. The first rows of every
 * range are read before they are sorted, as there can be too many ranges to write a query for.
 */
const listedOnce = (sort: Sort, wanted: SQL): SQL => sql`
  select distinct in_range.* from unnest(asked.tags, asked.statuses, asked.levels) as range (tag, status, level)
  cross join lateral ${rangeOf(sort, wanted, sql`range.tag`, sql`range.status`, sql`range.level`)} as in_range
  order by at desc, estimation_id desc limit ${wanted}`;

type Listed = typeof listed;

/** A page of a list. */
const page = (sort: Sort, rows: Listed): SQL => sql`
  select ${columns}, found.level from ${asked} cross join lateral (${rows(sort, most("limit"))}) as found
  ${estimationOf(sql`found.estimation_id`)}`;

/** Of the first rows of a list those with a text, until a page is full; and the last row, where that comes first. */
const scan = (sort: Sort, rows: Listed): SQL => sql`
  select ${columns}, found.level, has_text, number from ${asked} cross join lateral (
    select *, (row_number() over ())::int as number from (${rows(sort, most("rows"))}) as listed) as found
  ${estimationOf(sql`found.estimation_id`)}
  cross join lateral (
    select ${estimations.title} || E'\n' || coalesce(${estimations.clientName}, '') ilike ${pattern} as has_text) as judged
  where has_text or number = ${most("rows")} limit ${most("limit")}`;

/** A page of the estimations with a text, by the index of texts: reads all that the user may read and that have it. */
const search = (sort: Sort): SQL => {
  const { estimationId, readers, text, status, tags } = estimationTexts;
  const at = estimationTexts[sort];
  const q = sql`lower(${sql.placeholder("q")}::text)`;
  const grams = sql`array(select substr(${q}, at, 3) from generate_series(1, greatest(length(${q}) - 2, 1)) as at)`;
  const isReader = sql`${estimationReaders.estimationId} = ${estimationId} and ${estimationReaders.userId} = asked.user_id`;
  return sql`
    select ${columns}, ${estimationReaders.level} from ${asked} cross join lateral (
      select ${at} as at, ${estimationId} from ${estimationTexts}
      where ${readers} @> array[asked.user_id] and text_grams(${text}) @> ${grams} and ${text} ilike ${pattern}
        and ${status} = any(asked.statuses) and (asked.tags[1] = '' or ${tags} && asked.tags)
        and (${sql.placeholder("anyLevel")}::boolean or exists (
          select from ${estimationReaders} where ${isReader} and ${estimationReaders.level} = any(asked.levels)))
        and (${at}, ${estimationId}) < (asked.at, asked.id)
      order by at desc, ${estimationId} desc limit ${most("limit")}
    ) as ${estimationTexts} ${estimationOf(sql`${estimationId}`)}
    cross join lateral (select * from ${estimationReaders} where ${isReader} offset 0) as ${estimationReaders}
    order by ${estimationTexts}.at desc, ${estimationId} desc`;
};

/** The statements that read lists, each prepared once per connection. */
export function createListStatements(pool: Database) {
  const listing = (sort: Sort, name: string, rows: Listed) => ({
    page: prepareRows<ReadableEstimation>(pool, `estimations_page_${name}`, NAMES, page(sort, rows)),
    scan: prepareRows<ScannedRow>(pool, `estimations_scan_${name}`, [...NAMES, "hasText", "number"], scan(sort, rows)),
  });
  const ofSort = (sort: Sort) => ({
    oneTag: listing(sort, sort, listed),
    tags: listing(sort, `tags_${sort}`, listedOnce),
    search: prepareRows<ReadableEstimation>(pool, `estimations_search_${sort}`, NAMES, search(sort)),
  });
  const statements = { updatedAt: ofSort("updatedAt"), createdAt: ofSort("createdAt") };
  const listingOf = ({ sort, tag = [] }: EstimationQuery) => statements[sort][tag.length > 1 ? "tags" : "oneTag"];
  return {
    page: (query: EstimationQuery) => listingOf(query).page(valuesOf(query)),
    scan: (query: EstimationQuery, rows: number) => listingOf(query).scan({ ...valuesOf(query), rows }),
    search: (query: EstimationQuery) => statements[query.sort].search(valuesOf(query)),
  };
}

function valuesOf({ userId, limit, status = estimationStatuses, access = accessLevels, ...query }: EstimationQuery) {
  const { tag: tags = [""], q = "", after } = query;
  // Every tag with every status and every level, as three arrays side by side.
  const ranges = tags.flatMap((tag) => status.flatMap((one) => access.map((level) => ({ tag, status: one, level }))));
  return {
    userId,
    tags: ranges.map(({ tag }) => tag),
    statuses: ranges.map(({ status }) => status),
    levels: ranges.map(({ level }) => level),
    anyLevel: access.length === accessLevels.length,
    at: after?.at.toISOString() ?? "infinity",
    id: after?.id ?? "",
    limit,
    q,
    pattern: `%${q.replace(/[\\%_]/g, "\\$&")}%`,
  };
}
