import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type AccessLevel, accessLevels } from "../../../contract/rights.ts";
import { type EstimationStatus, estimationStatuses } from "../../../contract/values/statuses.ts";
import { type Database, prepareRows } from "../../db/database.ts";
import { teamsOf } from "../teams/index.ts";
import { accessOf, type ReadableEstimation } from "./look-up-store.ts";
import { estimationListings, estimations, estimationTexts } from "./tables.ts";

/** A list of estimations, and where in it a page begins. */
export interface EstimationQuery {
  readonly userId: string;
  readonly sort: Sort;
  readonly limit: number;
  readonly status?: readonly (EstimationStatus | "deleted")[] | undefined;
  readonly access?: readonly AccessLevel[] | undefined;
  readonly tag?: readonly string[] | undefined;
  /** Only what is shared with this team, of which nothing is listed unless the user belongs to it. */
  readonly team?: string | undefined;
  /** Only what this user owns. */
  readonly owner?: string | undefined;
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

const NAMES = [...Object.keys(getTableColumns(estimations)), "access", "viaTeam"];
const columns = sql.join([...Object.values(getTableColumns(estimations)), sql`access.level, access.via_team`], sql`, `);
const pattern = sql`${sql.placeholder("pattern")}::text`;

const given = (name: string, type: string) => sql`${sql.placeholder(name)}::${sql.raw(type)}`;

const FILTERS = { statuses: "text[]", held: "text[]" };
const OWNER = { owner: "text" };

/**
 * The parameters of a list as a row named `asked`, and `more` with their types. `teams` are those of the user, and `sought`
 * the holders whose lists are read. "offset 0" hides the values from the planner, which therefore makes one plan for all values
 * and all numbers of rows.
 */
const asked = (more: Readonly<Record<string, string>> = {}): SQL => {
  const selected = Object.entries({ rows: "int", at: "timestamptz", id: "text", tags: "text[]", ...more }).map(
    ([name, type]) => sql`${given(name, type)} as ${sql.raw(name)}`,
  );
  const [userId, team] = [given("userId", "text"), given("team", "text")];
  return sql`(select ${userId} as user_id, teams,
      case when ${team} is null then array_prepend(${userId}, teams)
        when ${team} = any(teams) then array[${team}] else '{}' end as sought, ${sql.join(selected, sql`, `)}
    from (select ${teamsOf(userId)} as teams offset 0) as mine offset 0) as asked`;
};

const accessTo = (id: SQL) => accessOf(id, sql`asked.user_id`, sql`asked.teams`);

/** Looks up the estimation of each found row by itself: a planner that misjudged their number would read the whole table. */
const estimationOf = (id: SQL) => sql`cross join lateral (
  select * from ${estimations} where ${estimations.id} = ${id} offset 0) ${estimations}`;

const withAccess = (id: SQL) => sql`cross join lateral ${accessTo(id)} as access`;

/** A short name: PostgreSQL copies the text of a statement each time it runs. */
const listing = alias(estimationListings, "l");

/**
 * The first rows of a list, in its order: each holder with a tag is a range of an index in that order, or several with a status
 * and a level. The first rows of each range contain the first ones of all of them; an estimation in several ranges is listed
 * once.
 */
const firstOf = (sort: Sort, ranges: SQL, condition: SQL): SQL => {
  const { holderId, estimationId, tag } = listing;
  const at = listing[sort];
  return sql`select distinct at, estimation_id from ${ranges} cross join lateral (
      select ${at} as at, ${estimationId} from ${estimationListings} ${listing}
      where ${holderId} = holder.id and ${tag} = one.tag and ${condition}
        and (${at}, ${estimationId}) < (asked.at, asked.id)
      order by ${at} desc, ${estimationId} desc limit asked.rows) as range
    order by at desc, estimation_id desc limit asked.rows`;
};

const holdersWithTags = sql`unnest(asked.sought) as holder (id) cross join unnest(asked.tags) as one (tag)`;

/** How the rows of a list are found. */
interface Listed {
  readonly asked: SQL;
  rows(sort: Sort): SQL;
}

/** A list by time of update that is not filtered by status or access: what is read most. */
const latest: Listed = {
  asked: asked(),
  rows: (sort) => firstOf(sort, holdersWithTags, sql`${listing.status} <> 'deleted'`),
};

/** Only the ranges of the statuses and levels that are asked for. Teams give no other levels than those of shares. */
const ranges = sql`${holdersWithTags} cross join unnest(asked.statuses) as asked_status (status)
  join unnest(asked.held) as given (level) on holder.id = asked.user_id or given.level in ('editor', 'viewer')`;
const isOfRange = sql`${listing.status} = asked_status.status and ${listing.level} = given.level`;

const filtered: Listed = { asked: asked(FILTERS), rows: (sort) => firstOf(sort, ranges, isOfRange) };

/** The same of what one person owns and others may read. */
const ofOwner: Listed = {
  asked: asked({ ...FILTERS, ...OWNER }),
  rows: (sort) =>
    firstOf(sort, ranges, sql`${listing.ownerId} = asked.owner and ${listing.level} <> 'owner' and ${isOfRange}`),
};

/** A page of a list. */
const page = (sort: Sort, { asked, rows }: Listed): SQL => sql`
  select ${columns} from ${asked} cross join lateral (${rows(sort)}) as found
  ${estimationOf(sql`found.estimation_id`)} ${withAccess(sql`found.estimation_id`)}`;

/**
 * The rows among the first ones of a list that have a text, until a page is full; and the last row, if the page is not
 * full.
 */
const scan = (sort: Sort, { asked, rows }: Listed): SQL => sql`
  select ${columns}, has_text, number from ${asked} cross join lateral (
    select *, (row_number() over ())::int as number from (${rows(sort)}) as listed) as found
  ${estimationOf(sql`found.estimation_id`)}
  cross join lateral (
    select ${estimations.title} || E'\n' || coalesce(${estimations.clientName}, '') ilike ${pattern} as has_text) as judged
  ${withAccess(sql`found.estimation_id`)}
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

/**
 * A page of the estimations with a text, by the index of texts: reads all of them that the user can read. The access to what is
 * somebody else's is looked up for each of them, where it matters.
 */
const search = (sort: Sort, { among, where }: Sought, isOfOwner: boolean): SQL => {
  const { estimationId, readers, text, status, ownerId } = estimationTexts;
  const isOwned = isOfOwner ? sql`and ${ownerId} = asked.owner` : sql``;
  const filters = { ...FILTERS, levels: "text[]", anyLevel: "boolean", ...(isOfOwner ? OWNER : {}) };
  const at = estimationTexts[sort];
  return sql`
    select ${columns} from ${asked(filters)} cross join lateral (
      select distinct found.* from ${among} cross join lateral (
        select ${at} as at, ${estimationId} from ${estimationTexts}
        where ${readers} && asked.sought and ${where} ${isOwned} and ${text} ilike ${pattern} and ${status} = any(asked.statuses)
          and (asked.anyLevel or case when ${ownerId} = asked.user_id then 'owner'
            else (select level from ${accessTo(sql`${estimationId}`)} as highest) end = any(asked.levels))
          and (${at}, ${estimationId}) < (asked.at, asked.id)
        order by at desc, ${estimationId} desc limit asked.rows
      ) as found order by at desc, estimation_id desc limit asked.rows
    ) as ${estimationTexts} ${estimationOf(sql`${estimationId}`)} ${withAccess(sql`${estimationId}`)}
    order by ${estimationTexts}.at desc, ${estimationId} desc`;
};

/** The statements that read lists, each prepared once per connection. */
export function createListStatements(pool: Database) {
  const listedBy = (name: string, sort: Sort, listed: Listed) => ({
    page: prepareRows<ReadableEstimation>(pool, `estimations_page_${name}`, NAMES, () => page(sort, listed)),
    scan: prepareRows<ScannedRow>(pool, `estimations_scan_${name}`, [...NAMES, "hasText", "number"], () =>
      scan(sort, listed),
    ),
  });
  const searchBy = (name: string, sort: Sort, sought: Sought, isOfOwner = false) =>
    prepareRows<ReadableEstimation>(pool, `estimations_search_${name}`, NAMES, () => search(sort, sought, isOfOwner));
  const ofSort = (sort: Sort) => ({
    filtered: {
      ...listedBy(sort, sort, filtered),
      search: searchBy(sort, sort, byText),
      searchTagged: searchBy(`tagged_${sort}`, sort, byTextAndTag),
    },
    ofOwner: {
      ...listedBy(`of_owner_${sort}`, sort, ofOwner),
      search: searchBy(`of_owner_${sort}`, sort, byText, true),
      searchTagged: searchBy(`of_owner_tagged_${sort}`, sort, byTextAndTag, true),
    },
  });
  const statements = { updatedAt: ofSort("updatedAt"), createdAt: ofSort("createdAt") };
  const ofLatest = listedBy("latest", "updatedAt", latest);
  const statementsOf = ({ sort, owner }: EstimationQuery) =>
    statements[sort][owner === undefined ? "filtered" : "ofOwner"];
  const choose = (query: EstimationQuery) => {
    const { sort, status, access, owner, userId, team } = query;
    if (owner === userId && team === undefined) return statements[sort].filtered;
    return sort === "updatedAt" && !status && !access && owner === undefined ? ofLatest : statementsOf(query);
  };
  return {
    /**
     * Reads the first `rows` of a list. Where it is filtered by access, some may be of a higher level than those asked for,
     * which another holder gives the reader.
     */
    page: (query: EstimationQuery, rows: number) => choose(query).page({ ...valuesOf(query), rows }),
    /** Searches the first `rows` of a list for the text. */
    scan: (query: EstimationQuery, rows: number) =>
      choose(query).scan({ ...valuesOf(query), rows, limit: query.limit, pattern: patternOf(query) }),
    search(query: EstimationQuery) {
      const { q = "" } = query;
      const isByTag = query.tag !== undefined && [...q].length >= 3;
      const values = { ...valuesOf(query), q, pattern: patternOf(query) };
      return isByTag ? statementsOf(query).searchTagged(values) : statementsOf(query).search(values);
    },
  };
}

const TEAM_LEVELS: readonly AccessLevel[] = ["editor", "viewer"];

/** The parameters of `asked`; those that a statement does not have are not sent. */
const valuesOf = (query: EstimationQuery) => {
  const { userId, team = null, owner = null, limit, after, tag: tags = [""] } = query;
  const { status: statuses = estimationStatuses, access: levels = accessLevels } = query;
  const begin = { rows: limit, at: after?.at.toISOString() ?? "infinity", id: after?.id ?? "" };
  // What is shared with a team may be the reader's at any level, but the team has it at one of these.
  const held = team === null ? levels : TEAM_LEVELS;
  return {
    ...begin,
    userId,
    team,
    owner,
    tags,
    statuses,
    held,
    levels,
    anyLevel: levels.length === accessLevels.length,
  };
};

const patternOf = ({ q = "" }: EstimationQuery): string => `%${q.replace(/[\\%_]/g, "\\$&")}%`;
