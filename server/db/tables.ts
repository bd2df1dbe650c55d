import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";
import { bytea, instant } from "./columns.ts";

/** Used at the start to check whether a secret is the one that the data was written with. */
export const secretMarks = pgTable("secret_marks", {
  /** Name of the setting. */
  name: text().primaryKey(),
  /** HMAC-SHA256 of a fixed text, keyed with the secret: it reveals nothing about the secret. */
  mark: bytea().notNull(),
  /** That of the former secret while something is still encrypted with it; null: nothing is. */
  formerMark: bytea(),
  createdAt: instant().notNull(),
});

/** Keys that the instance made for itself and keeps for good, whatever happens to its secrets. */
export const instanceKeys = pgTable("instance_keys", {
  /** What it is for. */
  name: text().primaryKey(),
  /** Sealed with the name as context. */
  sealed: bytea().notNull(),
  createdAt: instant().notNull(),
});

/** What is true of the whole instance, for all its processes: one row, or none as long as nothing of it happened. */
export const instanceState = pgTable(
  "instance_state",
  {
    /** Always true: a second row cannot be. */
    isOnly: boolean().primaryKey().default(true),
    /** When the database was restored from a backup. From then on nothing is sent until `resume` makes it null. */
    heldSince: instant(),
    /** When the snapshot of the last completed backup was taken. */
    backedUpAt: instant(),
    /** When a mail was last sent or tried, and why it was not sent; null: it was. */
    mailTriedAt: instant(),
    mailFault: text(),
    /** When the last automatic backup ended, completed or not. */
    backupTriedAt: instant(),
  },
  ({ isOnly }) => [check("instance_state_once", sql`${isOnly}`)],
);
