import { limits } from "../../contract/limits.ts";
import { isWellFormedId } from "../platform/ids.ts";
import { parseTimestamp } from "../platform/timestamp.ts";
import { failWith } from "./failure.ts";

type SortValues = readonly (string | number)[];

/** The total order of a list by keys `K` of its rows. A cursor holds the sort values `V` of the last row read. */
export interface Order<K, After, V extends SortValues> {
  /** Names the list and its order, so that a cursor works nowhere else. */
  readonly list: string;
  /** A value of the type of each part. */
  readonly sample: V;
  valuesOf(row: K): V;
  /** What the values say to the query of the next page; null: no row can have them. */
  read(values: V): After | null;
}

/** Sorted by id, which sorts by time. */
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

/** What a list's query says about the page. */
export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * Reads a page of a list: `find` returns at most `limit` rows in the order, those after `after`, or the first ones where
 * it is null. `nextCursor` is null on the last page. Refuses (400) a cursor that is none of this list. `pageSize` is how
 * many rows a page has unless the query says so.
 */
export async function listPage<K, R extends K, After, V extends SortValues>(
  order: Order<K, After, V>,
  { cursor, limit }: PageQuery,
  find: (limit: number, after: After | null) => Promise<readonly R[]>,
  pageSize: number = limits.pageSize,
): Promise<{ rows: readonly R[]; nextCursor: string | null }> {
  const size = limit ?? pageSize;
  // One more than is shown tells whether there is a next page.
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
