import { accessLevels } from "../../../contract/rights.ts";
import type { Database } from "../../db/database.ts";
import { createListStatements, type EstimationQuery } from "./list-store.ts";
import type { ReadableEstimation } from "./look-up-store.ts";

/** The number of rows that are searched first, to estimate how many rows have the text. */
const FIRST_ROWS = 100;

/** If fewer of these rows have the text, the index of texts finds the others with less work, … */
const LEAST_SHARE = 0.03;

/** … unless no more than this many rows have to be looked at, because the index reads every row with the text. */
const FEW_ROWS = 700;

/** The most rows that are read at once where many are left out. */
const MOST_ROWS = 1_000;

/** Reads the first `rows` of a list. */
type ReadPage = (query: EstimationQuery, rows: number) => Promise<ReadableEstimation[]>;

/**
 * What somebody owns is theirs at one level, so only the ranges of the levels that the reader can have are read; and of a team's
 * only what the reader owns, where nothing else is asked for.
 */
function narrowed(query: EstimationQuery): EstimationQuery {
  const { userId, team, access = accessLevels } = query;
  const isOwnOfTeam = team !== undefined && access.every((level) => level === "owner");
  const owner = query.owner ?? (isOwnOfTeam ? userId : undefined);
  if (owner === undefined) return query;
  return { ...query, owner, access: access.filter((level) => (level === "owner") === (owner === userId)) };
}

/** Lists what a user may read, newest first, in a total order (docs/decisions/lists-of-readers.md). */
export function createEstimationList(pool: Database): (query: EstimationQuery) => Promise<ReadableEstimation[]> {
  const { page, scan, search } = createListStatements(pool);

  /** The ranges of a level may hold what the reader has at a higher level from elsewhere: it is left out, and more is read. */
  const isAsked =
    ({ access }: EstimationQuery) =>
    (row: ReadableEstimation) =>
      access === undefined || access.includes(row.access);

  async function read(query: EstimationQuery, page: ReadPage): Promise<ReadableEstimation[]> {
    const found: ReadableEstimation[] = [];
    let { after } = query;
    for (let rows = query.limit; ; rows = Math.min(2 * rows, MOST_ROWS)) {
      const looked = await page({ ...query, after }, rows);
      found.push(...looked.filter(isAsked(query)));
      const last = looked.at(-1);
      if (found.length >= query.limit || looked.length < rows || !last) return found.slice(0, query.limit);
      after = { at: last[query.sort], id: last.id };
    }
  }

  return async (given) => {
    const query = narrowed(given);
    if (query.access?.length === 0) return [];
    if (!query.q) return read(query, page);
    // A frequent text is soon found in the list; by the index, all rows with it would have to be read.
    const found: ReadableEstimation[] = [];
    let { after } = query;
    let seen = 0;
    for (let rows = FIRST_ROWS; ; ) {
      const wanted = query.limit - found.length;
      const looked = await scan({ ...query, after, limit: wanted }, rows);
      found.push(...looked.filter((row) => row.hasText && isAsked(query)(row)));
      const last = looked.at(-1);
      const isEnd = last === undefined || (looked.length < wanted && last.number < rows);
      if (found.length === query.limit || isEnd) return found;
      after = { at: last[query.sort], id: last.id };
      seen += last.number;
      const share = found.length / seen;
      rows = Math.ceil((query.limit - found.length) / share);
      if (share < LEAST_SHARE && rows > FEW_ROWS) break;
    }
    const rest = { ...query, after, limit: query.limit - found.length };
    return [...found, ...(await read(rest, (asked, rows) => search({ ...asked, limit: rows })))];
  };
}
