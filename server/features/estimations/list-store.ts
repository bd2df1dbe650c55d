import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type AccessLevel, accessLevels } from "../../../contract/rights.ts";
import { type EstimationStatus, estimationStatuses } from "../../../contract/values/statuses.ts";
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

/** A row of a list that is searched for a text: one that has it, or the last that was read. */
type ScannedRow = ReadableEstimation & {
  readonly hasText: boolean;
  /** Its number among the rows that were read, from 1. */
  readonly number: number;
};

const NAMES = [...Object.keys(getTableColumns(estimations)), "access"];
const columns = sql.join(Object.values(getTableColumns(estimations)), sql`, `);
const pattern = sql`${sql.placeholder("pattern")}::text`;

const given = (name: string, type: string) => sql`${sql.placeholder(name)}::${sql.raw(type)}`;

const CURSOR = { at: "timestamptz", id: "text" };

/**
 * The parameters of a query as a row named `asked`: those that every list has, and `more` with their types. "offset 0" hides
 * their values from the planner, which therefore makes one plan for all values and all numbers of rows.
 */
const asked = (more: Readonly<Record<string, string>>): SQL => {
  const selected = Object.entries({ rows: "int", ...more }).map(
    ([name, type]) => sql`${given(name, type)} as ${sql.raw(name)}`,
  );
  return sql`(select ${given("userId", "text")} as user_id, ${sql.join(selected, sql`, `)} offset 0) as asked`;
};

/** Looks up the estimation of each found row by itself: a planner that misjudged their number would read the whole table. */
const estimationOf = (id: SQL) => sql`cross join lateral (
  select * from ${estimations} where ${estimations.id} = ${id} offset 0) ${estimations}`;

/** A short name: PostgreSQL copies the text of a statement each time it runs. */
const listing = alias(estimationListings, "l");

/** The rows of a list after the last one that was read. */
const afterCursor = (sort: Sort): SQL => sql`and (${listing[sort]}, ${listing.estimationId}) < (asked.at, asked.id)`;

/** Reads the first rows of one range of the index for `sort`, of those that meet `more`. */
const rangeOf = (sort: Sort, tag: SQL, status: SQL, level: SQL, more: SQL): SQL => {
  const { userId, estimationId, ...columns } = listing;
  const at = columns[sort];
  return sql`(select ${at} as at, ${estimationId}, ${columns.level} from ${estimationListings} ${listing}
where ${userId} = asked.user_id and ${columns.tag} = ${tag} and ${columns.status} = ${status} and ${columns.level} = ${level} ${more}
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
 * The first rows of a list with one tag or none, in its order. Each pair of status and level is a range of an index in that
 * order. PostgreSQL merges the ranges while it reads them, so it reads few more rows than it returns. Statuses and levels
 * are constants in the text, because passing them as parameters takes longer than reading empty ranges.
 */
const merged = (sort: Sort, ranges: readonly Range[], tag: SQL, condition: (at: number) => SQL): SQL => {
  const word = (text: string) => sql.raw(`'${text}'`);
  const all = ranges.map(({ status, level }, at) => rangeOf(sort, tag, word(status), word(level), condition(at)));
  return sql`select * from (${sql.join(all, sql` union all `)}) as merged order by at desc, estimation_id desc limit asked.rows`;
};

/** How the rows of a list are found. */
interface Listed {
  readonly asked: SQL;
  rows(sort: Sort): SQL;
}

/** The first page of a list that is not filtered by status or access: what is read most. */
const first: Listed = {
  asked: asked({ tag: "text" }),
  rows: (sort) => merged(sort, WHOLE, sql`asked.tag`, () => sql``),
};

/** The same after a cursor. */
const whole: Listed = {
  asked: asked({ ...CURSOR, tag: "text" }),
  rows: (sort) => merged(sort, WHOLE, sql`asked.tag`, () => afterCursor(sort)),
};

/** `ranges` has a bit for each of `RANGES` that is wanted; the others are not read. */
const mergedAsked = (sort: Sort, tag: SQL): SQL =>
  merged(sort, RANGES, tag, (at) => sql`and (asked.ranges & ${sql.raw(String(1 << at))}) <> 0 ${afterCursor(sort)}`);

const filtered: Listed = {
  asked: asked({ ...CURSOR, tag: "text", ranges: "int" }),
  rows: (sort) => mergedAsked(sort, sql`asked.tag`),
};

/**
 * The same for a list with several tags, of which the first rows are read one after the other: an estimation with two
 * of the tags is in two ranges, and shown once.
 */
const severalTags: Listed = {
  asked: asked({ ...CURSOR, tags: "text[]", ranges: "int" }),
  rows: (sort) => sql`
    select distinct of_tag.* from unnest(asked.tags) as one (tag)
    cross join lateral (${mergedAsked(sort, sql`one.tag`)}) as of_tag
    order by at desc, estimation_id desc limit asked.rows`,
};

/** A page of a list. */
const page = (sort: Sort, { asked, rows }: Listed): SQL => sql`
  select ${columns}, found.level from ${asked} cross join lateral (${rows(sort)}) as found
  ${estimationOf(sql`found.estimation_id`)}`;

/**
 * The rows among the first ones of a list that have a text, until a page is full; and the last row, if the page is not
 * full.
 */
const scan = (sort: Sort, { asked, rows }: Listed): SQL => sql`
  select ${columns}, found.level, has_text, number from ${asked} cross join lateral (
    select *, (row_number() over ())::int as number from (${rows(sort)}) as listed) as found
  ${estimationOf(sql`found.estimation_id`)}
  cross join lateral (
    select ${estimations.title} || E'\n' || coalesce(${estimations.clientName}, '') ilike ${pattern} as has_text) as judged
  where has_text or number = asked.rows limit (select ${given("limit", "int")})`;

/** How the index of texts finds those that may have a text, and in what. */
interface Sought {
  /** The rows of `asked` that are each searched by itself. */
  readonly among: SQL;
  readonly where: SQL;
}

const q = sql`lower(${sql.placeholder("q")}::text)`;

/** A text of any length. */
const byText: Sought = {
  among: sql`(select 1) as one`,
  where: sql`text_grams(${estimationTexts.text}) @> array(
    select substr(${q}, at, 3) from generate_series(1, greatest(length(${q}) - 2, 1)) as at)
    and (asked.tags[1] = '' or ${estimationTexts.tags} && asked.tags)`,
};

/** A text of three characters or more with one of the tags: as many rows are read as have both, however many have one. */
const byTextAndTag: Sought = {
  among: sql`unnest(asked.tags) as one (tag)`,
  where: sql`tag_grams(${estimationTexts.tags}, ${estimationTexts.text}) @> array(
    select hashtextextended(one.tag || E'\n' || substr(${q}, at, 3), 0) from generate_series(1, length(${q}) - 2) as at)
    and one.tag = any(${estimationTexts.tags})`,
};

/** A page of the estimations with a text, by the index of texts: reads all of them that the user can read. */
const search = (sort: Sort, { among, where }: Sought): SQL => {
  const { estimationId, readers, text, status } = estimationTexts;
  const at = estimationTexts[sort];
  const isReader = sql`${estimationReaders.estimationId} = ${estimationId} and ${estimationReaders.userId} = asked.user_id`;
  return sql`
    select ${columns}, ${estimationReaders.level} from ${asked({ ...CURSOR, tags: "text[]", statuses: "text[]", levels: "text[]" })} cross join lateral (
      select distinct found.* from ${among} cross join lateral (
        select ${at} as at, ${estimationId} from ${estimationTexts}
        where ${readers} @> array[asked.user_id] and ${where} and ${text} ilike ${pattern} and ${status} = any(asked.statuses)
          and (${sql.placeholder("anyLevel")}::boolean or exists (
            select from ${estimationReaders} where ${isReader} and ${estimationReaders.level} = any(asked.levels)))
          and (${at}, ${estimationId}) < (asked.at, asked.id)
        order by at desc, ${estimationId} desc limit asked.rows
      ) as found order by at desc, estimation_id desc limit asked.rows
    ) as ${estimationTexts} ${estimationOf(sql`${estimationId}`)}
    cross join lateral (select * from ${estimationReaders} where ${isReader} offset 0) as ${estimationReaders}
    order by ${estimationTexts}.at desc, ${estimationId} desc`;
};

/** The statements that read lists, each prepared once per connection. */
export function createListStatements(pool: Database) {
  const pageOf = (sort: Sort, name: string, listed: Listed) =>
    prepareRows<ReadableEstimation>(pool, `estimations_page_${name}`, NAMES, () => page(sort, listed));
  const listedBy = (sort: Sort, name: string, listed: Listed) => ({
    page: pageOf(sort, name, listed),
    scan: prepareRows<ScannedRow>(pool, `estimations_scan_${name}`, [...NAMES, "hasText", "number"], () =>
      scan(sort, listed),
    ),
  });
  const ofSort = (sort: Sort) => ({
    first: pageOf(sort, `first_${sort}`, first),
    whole: listedBy(sort, sort, whole),
    filtered: listedBy(sort, `filtered_${sort}`, filtered),
    severalTags: listedBy(sort, `tags_${sort}`, severalTags),
    search: prepareRows<ReadableEstimation>(pool, `estimations_search_${sort}`, NAMES, () => search(sort, byText)),
    searchTagged: prepareRows<ReadableEstimation>(pool, `estimations_search_tagged_${sort}`, NAMES, () =>
      search(sort, byTextAndTag),
    ),
  });
  const statements = { updatedAt: ofSort("updatedAt"), createdAt: ofSort("createdAt") };
  const choose = (query: EstimationQuery) => {
    const { status, access, tag: tags = [""] } = query;
    const of = statements[query.sort];
    const begin = { ...beginOf(query), tag: tags[0] };
    if (tags.length > 1) return { listed: of.severalTags, values: { ...begin, tags, ranges: bitsOf(query) } };
    if (status || access) return { listed: of.filtered, values: { ...begin, ranges: bitsOf(query) } };
    return { listed: query.after ? of.whole : { ...of.whole, page: of.first }, values: begin };
  };
  return {
    page(query: EstimationQuery) {
      const { listed, values } = choose(query);
      return listed.page(values);
    },
    /** Searches the first `rows` of a list for the text. */
    scan(query: EstimationQuery, rows: number) {
      const { listed, values } = choose(query);
      return listed.scan({ ...values, rows, limit: query.limit, pattern: patternOf(query) });
    },
    search(query: EstimationQuery) {
      const {
        sort,
        q = "",
        status: statuses = estimationStatuses,
        access: levels = accessLevels,
        tag: tags = [""],
      } = query;
      const anyLevel = levels.length === accessLevels.length;
      const values = { ...beginOf(query), tags, statuses, levels, anyLevel, q, pattern: patternOf(query) };
      const isByTag = query.tag !== undefined && [...q].length >= 3;
      return isByTag ? statements[sort].searchTagged(values) : statements[sort].search(values);
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
