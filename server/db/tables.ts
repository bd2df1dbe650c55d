import { pgTable, text } from "drizzle-orm/pg-core";
import { bytea, instant } from "./columns.ts";

/** What tells at the start whether a secret is the one that the data was written with. */
export const secretMarks = pgTable("secret_marks", {
  /** Name of the setting. */
  name: text().primaryKey(),
  /** HMAC-SHA256 of a fixed text, keyed with the secret: it gives nothing of the secret away. */
  mark: bytea().notNull(),
  createdAt: instant().notNull(),
});

/** Changes of what is stored that no SQL statement can make, and that were made: each once. */
export const dataMigrations = pgTable("data_migrations", {
  name: text().primaryKey(),
  doneAt: instant().notNull(),
});
