import { pgTable, text } from "drizzle-orm/pg-core";
import { bytea, instant } from "./columns.ts";

/** Used at the start to check whether a secret is the one that the data was written with. */
export const secretMarks = pgTable("secret_marks", {
  /** Name of the setting. */
  name: text().primaryKey(),
  /** HMAC-SHA256 of a fixed text, keyed with the secret: it reveals nothing about the secret. */
  mark: bytea().notNull(),
  createdAt: instant().notNull(),
});
