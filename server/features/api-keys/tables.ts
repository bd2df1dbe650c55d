import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Scope } from "../../../contract/scopes.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    /** The first 12 characters of the plaintext; otherwise only its hash is stored. */
    prefix: text().notNull(),
    /** SHA-256 of the plaintext. */
    hash: bytea().notNull(),
    scopes: text().array().$type<Scope[]>().notNull(),
    expiresAt: instant(),
    revokedAt: instant(),
    lastUsedAt: instant(),
    createdAt: instant().notNull(),
    rotatedAt: instant(),
    /** When the mail was asked for that it will expire. */
    expiryMailedAt: instant(),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    index("api_keys_by_user").on(table.userId, table.id),
    index("api_keys_by_revocation").on(table.revokedAt).where(sql`revoked_at is not null`),
    index("api_keys_expiring")
      .on(table.expiresAt)
      .where(sql`revoked_at is null and expiry_mailed_at is null and expires_at is not null`),
    index("api_keys_standing").on(table.userId).where(sql`revoked_at is null`),
  ],
);
