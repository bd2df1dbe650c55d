import { sql } from "drizzle-orm";
import { customType, text, timestamp } from "drizzle-orm/pg-core";

/** An instant, kept to the millisecond: what is read back is what was written. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** A record id; compared byte by byte, so that its order is the same on every server. */
export const id = () => text();

/** Bytes. */
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** An empty array of text, as a default. */
export const noTexts = sql`'{}'::text[]`;
