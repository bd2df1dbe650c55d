import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { SharePermission } from "../../../contract/values/share-permissions.ts";
import { bytea, id, instant } from "../../db/columns.ts";

/** 1 for a verified address, else 0: a number, because planners replace conditions of truth values by others. */
export const isVerified = sql`(case when email_verified_at is null then 0 else 1 end)`;

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
    /** Whether the password was first set by a person who had verified the address, through a mailed link. */
    passwordProved: boolean().notNull().default(false),
    tokenVersion: integer().notNull().default(0),
    emailVerifiedAt: instant(),
    /**
     * When a password reset proved the address for the first time; null: it never did. Keys and webhooks from before may
     * be those of another person who registered with the address.
     */
    provedByResetAt: instant(),
    /**
     * Null: a person. Otherwise nobody can sign in or be found: an account that was erased, for what it did that others need;
     * or who reviews the examples.
     */
    standsFor: text().$type<"erased" | "examples">(),
    /** The team that the user's new estimations are shared with, of which the user is a member; null: none. */
    defaultTeamId: id(),
    /** What its members may do with them. */
    defaultPermission: text().$type<SharePermission>().notNull().default("view"),
    createdAt: instant().notNull(),
    /** The last sign-in, with whatever; renewals are none. Null: there was none. */
    lastSignInAt: instant(),
    /** Whether the user runs the instance; only the command line sets it. */
    isAdministrator: boolean().notNull().default(false),
    /** When the mail server refused a mail to the address for good; null: it took the last one, or none was sent. */
    undeliveredAt: instant(),
    /** When an administrator disabled the account: nobody can sign in, and nothing is sent for it. Null: it is enabled. */
    disabledAt: instant(),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    // What users are searched by. Verified ones apart: a search for them reads no others, however many there are.
    index("users_by_email_start").on(isVerified, table.email.op("text_pattern_ops")),
    index("users_by_name_start").on(isVerified, sql`lower(name) text_pattern_ops`, table.id),
    // What `users_with_grams_of` searches. Without a list of what is not in the index yet: every search would read it.
    index("users_by_grams")
      .using(
        "gin",
        sql`(text_grams(name || E'\\n' || email) || case when email_verified_at is null then '{}'::text[] else '{verified}'::text[] end)`,
      )
      .with({ fastupdate: false }),
  ],
);

/** Signed-in browsers and programs. One that ends is removed, so its tokens are refused by every process at once. */
export const sessions = pgTable(
  "sessions",
  {
    id: id().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The version of the user's tokens when it began; with another one it has ended. */
    tokenVersion: integer().notNull(),
    /** When and from where the user signed in; renewals leave it as it is. */
    signedInAt: instant().notNull(),
    ip: text(),
    userAgent: text(),
    /** Up to a minute late. */
    lastUsedAt: instant().notNull(),
    /** When its newest token expires. */
    expiresAt: instant().notNull(),
  },
  (table) => [index("sessions_by_user").on(table.userId, table.id), index("sessions_by_expiry").on(table.expiresAt)],
);

/** The purposes of mailed links. */
export type LinkPurpose = "reset-password" | "verify-email";

/** The token of the newest link of each purpose: a newer one replaces the older one. */
export const mailedTokens = pgTable(
  "mailed_tokens",
  {
    userId: id()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text().$type<LinkPurpose>().notNull(),
    /** SHA-256 of the token, the only part stored. */
    hash: bytea().notNull(),
    /** The last millisecond in which it is accepted. */
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    uniqueIndex("mailed_tokens_hash").on(table.hash),
    index("mailed_tokens_by_expiry").on(table.expiresAt),
  ],
);

/**
 * Failed passwords and requested mails in current windows: a row for each window of each account or client address
 * tried.
 */
export const tryCounts = pgTable(
  "try_counts",
  {
    /** HMAC of what is counted: the table contains neither e-mail addresses nor client addresses. */
    counter: bytea().primaryKey(),
    tries: integer().notNull(),
    /** When the count starts again from zero. */
    resetsAt: instant().notNull(),
  },
  (table) => [index("try_counts_by_reset").on(table.resetsAt)],
);

/** The client addresses from which an account was recently opened with its password or a mailed link. */
export const knownSignIns = pgTable(
  "known_sign_ins",
  {
    /** HMAC of the account together with the client address. */
    pair: bytea().primaryKey(),
    lastAt: instant().notNull(),
  },
  (table) => [index("known_sign_ins_by_age").on(table.lastAt)],
);
