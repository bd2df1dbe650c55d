import { sql } from "drizzle-orm";
import { customType, text, timestamp } from "drizzle-orm/pg-core";

/** An instant with millisecond precision: a value reads back as it was written. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** A record id; compared byte by byte, so that the order is the same on every server. */
export const id = () => text();

/** A column of bytes. */
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** An empty array of text, as a default. */
export const noTexts = sql`'{}'::text[]`;
