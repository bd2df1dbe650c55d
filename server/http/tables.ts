import { index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
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
