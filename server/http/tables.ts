import { bigint, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytea, id, instant } from "../db/columns.ts";

/** The response to a POST with an `Idempotency-Key`; written in the transaction of the work itself. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    userId: id().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    fingerprint: bytea().notNull(),
    status: integer().notNull(),
    /** `data` of the envelope without its secrets; null while the work is under way. */
    data: json(),
    revision: integer(),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index("idempotency_keys_by_age").on(table.createdAt)],
);

/**
 * What callers used of the limits of requests in current windows, by all processes. Unlogged (`after-tables.sql`): a crash of
 * PostgreSQL empties it, and every caller begins a new window.
 */
export const requestCounts = pgTable(
  "request_counts",
  {
    /** HMAC of the limit and the caller: the table contains neither ids of users nor client addresses. */
    counter: bytea().primaryKey(),
    used: bigint({ mode: "number" }).notNull(),
    /** When the window ends. */
    endsAt: instant().notNull(),
  },
  (table) => [index("request_counts_by_end").on(table.endsAt)],
);
