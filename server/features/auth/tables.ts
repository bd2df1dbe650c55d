import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea, id, instant } from "../../db/columns.ts";

export const users = pgTable(
  "users",
  {
    id: id().primaryKey(),
    /** Trimmed and lowercased. */
    email: text().notNull(),
    name: text().notNull(),
    avatarUrl: text(),
    /** PHC string of the Argon2id hash; null: no password was ever set. */
    passwordHash: text(),
    tokenVersion: integer().notNull().default(0),
    emailVerifiedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [uniqueIndex("users_email").on(table.email)],
);

/** Failed passwords of the running minute, a row for each account or client address that was tried. */
export const failedPasswords = pgTable(
  "failed_passwords",
  {
    /** HMAC of what is counted: neither e-mail addresses nor client addresses pile up here. */
    counter: bytea().primaryKey(),
    failures: integer().notNull(),
    /** When the count starts anew. */
    resetsAt: instant().notNull(),
  },
  (table) => [index("failed_passwords_by_reset").on(table.resetsAt)],
);
