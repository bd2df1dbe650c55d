import { type Column, type SQL, sql } from "drizzle-orm";
import { isAdmitted, LARGE_BYTES, NeedsAdmission } from "../platform/compute.ts";

const ANY_BYTES = 2 ** 31 - 1;

/**
 * SQL: stored JSON as text, because parsing a large one has to wait for its turn; null if it takes `LARGE_BYTES` or more and the
 * request was not admitted to large contents: then it is not loaded.
 */
export const storedText = (json: Column, bytes: Column): SQL<string | null> =>
  sql<string | null>`case when ${bytes} < ${isAdmitted() ? ANY_BYTES : LARGE_BYTES} then ${json}::text end`;

/** Returns a text that was read so; null if there is none. @throws NeedsAdmission if it was not loaded. */
export function loadedText({
  text,
  bytes,
}: {
  readonly text: string | null;
  readonly bytes: number | null;
}): string | null {
  if (text === null && bytes !== null) throw new NeedsAdmission("a large content");
  return text;
}
