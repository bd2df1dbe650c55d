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

const given = (name: string, type: string) => sql`${sql.placeholder(name)}::${sql.raw(type)}`;

/**
 * What is asked for, as a row named `asked`: `more` with its types, beside what every list has. Apart from the tables, and so
 * hidden from the planner: it makes one plan for all that may be asked, and estimates the same for any number of rows.
 */
const asked = (more: Readonly<Record<string, string>>): SQL => {
  const types = { at: "timestamptz", id: "text", rows: "int", ...more };
  const selected = Object.entries(types).map(([name, type]) => sql`${given(name, type)} as ${sql.raw(name)}`);
  return sql`(select ${given("userId", "text")} as user_id, ${sql.join(selected, sql`, `)} offset 0) as asked`;
};

/** For lists with several tags: each tag with each status and level, as three arrays side by side. */
const askedArrays = asked({ tags: "text[]", statuses: "text[]", levels: "text[]" });

/** The estimation of a found row: looked up one by one, because a planner that misjudges their number reads all there are. */
const estimationOf = (id: SQL) => sql`cross join lateral (
  select * from ${estimations} where ${estimations.id} = ${id} offset 0) ${estimations}`;

/** Reads the first rows of one range of the index for `sort`. */
const rangeOf = (sort: Sort, tag: SQL, status: SQL, level: SQL, more = sql``): SQL => {
  const { userId, estimationId, ...columns } = estimationListings;
  const at = columns[sort];
  return sql`
    (select ${at} as at, ${estimationId}, ${columns.level} from ${estimationListings}
      where ${userId} = asked.user_id and ${columns.tag} = ${tag}
        and ${columns.status} = ${status} and ${columns.level} = ${level} ${more}
        and (${at}, ${estimationId}) < (asked.at, asked.id)
      order by ${at} desc, ${estimationId} desc limit asked.rows)`;
};

interface Range {
  readonly status: EstimationStatus | "deleted";
  readonly level: AccessLevel;
}

/** The ranges of a list that is not filtered by status or access. */
const WHOLE: readonly Range[] = estimationStatuses.flatMap((status) =>
  accessLevels.map((level) => ({ status, level })),
);
const RANGES: readonly Range[] = [...WHOLE, { status: "deleted", level: "owner" }];

/**
 * The first rows of a list with one tag or none, in its order. Each status with a level is a range of an index that is in that
 * order; they are merged as they are read, so that few more rows are read than are wanted, however many there are. Their
 * statuses and levels are part of the text, because passing them takes PostgreSQL longer than reading empty ranges.
 */
const merged = (sort: Sort, ranges: readonly Range[], condition: (at: number) => SQL = () => sql``): SQL => {
  const word = (text: string) => sql.raw(`'${text}'`);
  const all = ranges.map(({ status, level }, at) =>
    rangeOf(sort, sql`asked.tag`, word(status), word(level), condition(at)),
  );
  return sql`select * from (${sql.join(all, sql` union all `)}) as merged order by at desc, estimation_id desc limit asked.rows`;
};

/** How the rows of a list are found. */
interface Listed {
  readonly asked: SQL;
  rows(sort: Sort): SQL;
}

/** Neither status nor access is filtered by: most lists. */
const whole: Listed = { asked: asked({ tag: "text" }), rows: (sort) => merged(sort, WHOLE) };

/** `ranges` has a bit for each of `RANGES` that is asked for; the others are not read. */
const filtered: Listed = {
  asked: asked({ tag: "text", ranges: "int" }),
  rows: (sort) => merged(sort, RANGES, (at) => sql`and (asked.ranges & ${sql.raw(String(1 << at))}) <> 0`),
};

/**
 * The same for a list with several tags: what has two of them is in two ranges, and shown once. The first rows of every
 * range are read before they are sorted, as there can be too many ranges to write a query for.
 */
const severalTags: Listed = {
  asked: askedArrays,
  rows: (sort) => sql`
    select distinct in_range.* from unnest(asked.tags, asked.statuses, asked.levels) as range (tag, status, level)
    cross join lateral ${rangeOf(sort, sql`range.tag`, sql`range.status`, sql`range.level`)} as in_range
    order by at desc, estimation_id desc limit asked.rows`,
};

/** A page of a list. */
const page = (sort: Sort, { asked, rows }: Listed): SQL => sql`
  select ${columns}, found.level from ${asked} cross join lateral (${rows(sort)}) as found
  ${estimationOf(sql`found.estimation_id`)}`;

/** Of the first rows of a list those with a text, until a page is full; and the last row, where that comes first. */
const scan = (sort: Sort, { asked, rows }: Listed): SQL => sql`
  select ${columns}, found.level, has_text, number from ${asked} cross join lateral (
    select *, (row_number() over ())::int as number from (${rows(sort)}) as listed) as found
  ${estimationOf(sql`found.estimation_id`)}
  cross join lateral (
    select ${estimations.title} || E'\n' || coalesce(${estimations.clientName}, '') ilike ${pattern} as has_text) as judged
  where has_text or number = asked.rows limit (select ${given("limit", "int")})`;

/** A page of the estimations with a text, by the index of texts: reads all that the user may read and that have it. */
const search = (sort: Sort): SQL => {
  const { estimationId, readers, text, status, tags } = estimationTexts;
  const at = estimationTexts[sort];
  const q = sql`lower(${sql.placeholder("q")}::text)`;
  const grams = sql`array(select substr(${q}, at, 3) from generate_series(1, greatest(length(${q}) - 2, 1)) as at)`;
  const isReader = sql`${estimationReaders.estimationId} = ${estimationId} and ${estimationReaders.userId} = asked.user_id`;
  return sql`
    select ${columns}, ${estimationReaders.level} from ${askedArrays} cross join lateral (
      select ${at} as at, ${estimationId} from ${estimationTexts}
      where ${readers} @> array[asked.user_id] and text_grams(${text}) @> ${grams} and ${text} ilike ${pattern}
        and ${status} = any(asked.statuses) and (asked.tags[1] = '' or ${tags} && asked.tags)
        and (${sql.placeholder("anyLevel")}::boolean or exists (
          select from ${estimationReaders} where ${isReader} and ${estimationReaders.level} = any(asked.levels)))
        and (${at}, ${estimationId}) < (asked.at, asked.id)
      order by at desc, ${estimationId} desc limit asked.rows
    ) as ${estimationTexts} ${estimationOf(sql`${estimationId}`)}
    cross join lateral (select * from ${estimationReaders} where ${isReader} offset 0) as ${estimationReaders}
    order by ${estimationTexts}.at desc, ${estimationId} desc`;
};

/** The statements that read lists, each prepared once per connection. */
export function createListStatements(pool: Database) {
  const listing = (sort: Sort, name: string, listed: Listed) => ({
    page: prepareRows<ReadableEstimation>(pool, `estimations_page_${name}`, NAMES, page(sort, listed)),
    scan: prepareRows<ScannedRow>(
      pool,
      `estimations_scan_${name}`,
      [...NAMES, "hasText", "number"],
      scan(sort, listed),
    ),
  });
  const ofSort = (sort: Sort) => ({
    whole: listing(sort, sort, whole),
    filtered: listing(sort, `filtered_${sort}`, filtered),
    severalTags: listing(sort, `tags_${sort}`, severalTags),
    search: prepareRows<ReadableEstimation>(pool, `estimations_search_${sort}`, NAMES, search(sort)),
  });
  const statements = { updatedAt: ofSort("updatedAt"), createdAt: ofSort("createdAt") };
  const choose = (query: EstimationQuery) => {
    const { status, access, tag = [""] } = query;
    const of = statements[query.sort];
    if (tag.length > 1) return { listed: of.severalTags, values: { ...beginOf(query), ...arraysOf(query) } };
    if (status || access)
      return { listed: of.filtered, values: { ...beginOf(query), tag: tag[0], ranges: bitsOf(query) } };
    return { listed: of.whole, values: { ...beginOf(query), tag: tag[0] } };
  };
  return {
    page(query: EstimationQuery) {
      const { listed, values } = choose(query);
      return listed.page(values);
    },
    /** Looks for the text through the first `rows` of a list. */
    scan(query: EstimationQuery, rows: number) {
      const { listed, values } = choose(query);
      return listed.scan({ ...values, rows, limit: query.limit, pattern: patternOf(query) });
    },
    search(query: EstimationQuery) {
      const { sort, q, access = accessLevels } = query;
      const anyLevel = access.length === accessLevels.length;
      const values = { ...beginOf(query), ...arraysOf(query), anyLevel, q, pattern: patternOf(query) };
      return statements[sort].search(values);
    },
  };
}

const beginOf = ({ userId, limit, after }: EstimationQuery) => ({
  userId,
  rows: limit,
  at: after?.at.toISOString() ?? "infinity",
  id: after?.id ?? "",
});

const patternOf = ({ q = "" }: EstimationQuery): string => `%${q.replace(/[\\%_]/g, "\\$&")}%`;

const isAsked = ({ status = estimationStatuses, access = accessLevels }: EstimationQuery, range: Range): boolean =>
  status.includes(range.status) && access.includes(range.level);

const bitsOf = (query: EstimationQuery): number =>
  RANGES.reduce((bits, range, at) => (isAsked(query, range) ? bits | (1 << at) : bits), 0);

/** Every tag with every range that is asked for, as three arrays side by side. */
function arraysOf(query: EstimationQuery) {
  const ranges = RANGES.filter((range) => isAsked(query, range));
  const all = (query.tag ?? [""]).flatMap((tag) => ranges.map((range) => ({ ...range, tag })));
  return {
    tags: all.map(({ tag }) => tag),
    statuses: all.map(({ status }) => status),
    levels: all.map(({ level }) => level),
  };
}
