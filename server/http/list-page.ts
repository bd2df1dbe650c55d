import { limits } from "../../contract/limits.ts";
import { isWellFormedId } from "../platform/ids.ts";
import { parseTimestamp } from "../platform/timestamp.ts";
import { failWith } from "./failure.ts";

type SortValues = readonly (string | number)[];

/** The total order of a list by keys `K` of its rows. A cursor contains the sort values `V` of the last row read. */
export interface Order<K, After, V extends SortValues> {
  /** Names the list and its order, so that a cursor is valid nowhere else. */
  readonly list: string;
  /** An example value of each part, for its type. */
  readonly sample: V;
  valuesOf(row: K): V;
  /** Converts the values for the query of the next page; null if no row can have them. */
  read(values: V): After | null;
}

/** Sorted by id, which is the order of creation. */
export const byId = (list: string): Order<{ readonly id: string }, string, readonly [string]> => ({
  list,
  sample: [""],
  valuesOf: ({ id }) => [id],
  read: ([id]) => (isWellFormedId(id) ? id : null),
});

/** Sorted by an instant and then by id. */
export const byInstant = <K extends { readonly id: string }>(
  list: string,
  instantOf: (row: K) => Date,
): Order<K, { at: Date; id: string }, readonly [string, string]> => ({
  list,
  sample: ["", ""],
  valuesOf: (row) => [instantOf(row).toISOString(), row.id],
  read([text, id]) {
    const at = parseTimestamp(text);
    return at && isWellFormedId(id) ? { at, id } : null;
  },
});

/** The page parameters of a list's query. */
export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * Reads a page of a list. `find` returns at most `limit` rows in order: those after `after`, or the first ones if it is
 * null. `nextCursor` is null on the last page. Refuses (400) a cursor of another list. `pageSize` is the number of rows
 * per page if the query does not set it.
 */
export async function listPage<K, R extends K, After, V extends SortValues>(
  order: Order<K, After, V>,
  { cursor, limit }: PageQuery,
  find: (limit: number, after: After | null) => Promise<readonly R[]>,
  pageSize: number = limits.pageSize,
): Promise<{ rows: readonly R[]; nextCursor: string | null }> {
  const size = limit ?? pageSize;
  // The endpoint's schema has refused everything else.
  if (!Number.isSafeInteger(size) || size < 1) throw new Error(`a page cannot have ${size} rows`);
  // One row more than the page shows whether there is a next page.
  const found = await find(size + 1, cursor === undefined ? null : decode(order, cursor));
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > size && last ? encode(order, last) : null };
}

const encode = <K, V extends SortValues>({ list, valuesOf }: Order<K, unknown, V>, row: K): string =>
  Buffer.from(JSON.stringify([list, ...valuesOf(row)])).toString("base64url");

function decode<After, V extends SortValues>({ list, sample, read }: Order<never, After, V>, cursor: string): After {
  const [name, ...values] = parse(cursor);
  const fits =
    name === list && values.length === sample.length && sample.every((one, at) => typeof one === typeof values[at]);
  const after = fits ? read(values as unknown as V) : null;
  return (
    after ??
    failWith([
      { path: "/cursor", in: "query", code: "invalid_cursor", message: "must be a nextCursor of this list, unchanged" },
    ])
  );
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
