import { index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

/** A person at a provider: the provider's own id of the person, which is never given to anybody else. */
export const identities = pgTable(
  "identities",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ name: "identities_by_subject", columns: [table.issuer, table.subject] }),
    // An account has one identity per provider: a person who gets the address there later is another one.
    uniqueIndex("identities_by_user").on(table.userId, table.issuer),
  ],
);

/** One-time codes on their way to the web application. */
export const exchangeCodes = pgTable(
  "exchange_codes",
  {
    /** SHA-256 of the code. */
    hash: bytea().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** Version of the user's tokens when the code was made; a code from before a logout or a reset is void. */
    tokenVersion: integer().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index("exchange_codes_by_expiry").on(table.expiresAt)],
);

/** Sign-ins that a browser has come back from, until they expire: none is finished twice. */
export const finishedSignIns = pgTable(
  "finished_sign_ins",
  {
    /** SHA-256 of the state. */
    hash: bytea().primaryKey(),
    expiresAt: instant().notNull(),
  },
  (table) => [index("finished_sign_ins_by_expiry").on(table.expiresAt)],
);
