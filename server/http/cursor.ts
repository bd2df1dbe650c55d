import { isWellFormedId } from "../platform/ids.ts";
import { parseTimestamp } from "../platform/timestamp.ts";
import { failWith } from "./failure.ts";

/** What a cursor names: the sort values of the last row read. */
export type SortValues = readonly (string | number)[];

/** Makes an opaque cursor. `list` names the list and its order, so that a cursor works nowhere else. */
const encodeCursor = (list: string, values: SortValues): string =>
  Buffer.from(JSON.stringify([list, ...values])).toString("base64url");

/** Reads a cursor that `encodeCursor` made for `list`; `shape` has a sample value per part. Refuses (400) anything else. */
export function decodeCursor<P extends SortValues>(list: string, cursor: string, shape: P): P {
  const parts = parse(cursor);
  const fits =
    parts.length === shape.length + 1 &&
    parts[0] === list &&
    shape.every((sample, at) => typeof sample === typeof parts[at + 1]);
  return fits ? (parts.slice(1) as unknown as P) : refuseCursor();
}

/** Refuses (400) a cursor. */
export const refuseCursor = (): never => failWith([{ path: "/cursor", message: "is not a cursor of this list" }]);

/** Reads a cursor of a list sorted by id alone: the id of the last row read. */
export function decodeIdCursor(list: string, cursor: string): string {
  const [id] = decodeCursor(list, cursor, [""] as [string]);
  return isWellFormedId(id) ? id : refuseCursor();
}

/** Reads a cursor of a list sorted by an instant and an id. */
export function decodeInstantCursor(list: string, cursor: string): { at: Date; id: string } {
  const [at, id] = decodeCursor(list, cursor, ["", ""] as [string, string]);
  return { at: parseTimestamp(at) ?? refuseCursor(), id: isWellFormedId(id) ? id : refuseCursor() };
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Cuts a page of `limit` rows out of `limit + 1`, and the cursor of the next one where there is more. */
export function pageOf<R>(
  rows: readonly R[],
  limit: number,
  list: string,
  valuesOf: (row: R) => SortValues,
): { rows: readonly R[]; nextCursor: string | null } {
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { rows, nextCursor: null };
  return { rows: rows.slice(0, limit), nextCursor: encodeCursor(list, valuesOf(last)) };
}
