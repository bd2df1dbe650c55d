import type { Database } from "../../db/database.ts";
import { createListStatements, type EstimationQuery } from "./list-store.ts";
import type { ReadableEstimation } from "./look-up-store.ts";

/** The number of rows that are searched first, to estimate how many rows have the text. */
const FIRST_ROWS = 100;

/** If fewer of these rows have the text, the index of texts finds the others with less work, … */
const LEAST_SHARE = 0.03;

/** … unless no more than this many rows have to be looked at, because the index reads every row with the text. */
const FEW_ROWS = 700;

/** Lists what a user may read, newest first, in a total order (docs/decisions/lists-of-readers.md). */
export function createEstimationList(pool: Database): (query: EstimationQuery) => Promise<ReadableEstimation[]> {
  const { page, scan, search } = createListStatements(pool);
  return async (query) => {
    if (!query.q) return page(query);
    // A frequent text is soon found in the list; by the index, all rows with it would have to be read.
    const found: ReadableEstimation[] = [];
    let { after } = query;
    let seen = 0;
    for (let rows = FIRST_ROWS; ; ) {
      const wanted = query.limit - found.length;
      const looked = await scan({ ...query, after, limit: wanted }, rows);
      found.push(...looked.filter(({ hasText }) => hasText));
      const last = looked.at(-1);
      const isEnd = last === undefined || last.number < rows;
      if (found.length === query.limit || isEnd) return found;
      after = { at: last[query.sort], id: last.id };
      seen += rows;
      const share = found.length / seen;
      rows = Math.ceil((query.limit - found.length) / share);
      if (share < LEAST_SHARE && rows > FEW_ROWS) break;
    }
    return [...found, ...(await search({ ...query, after, limit: query.limit - found.length }))];
  };
}
