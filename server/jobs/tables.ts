import { sql } from "drizzle-orm";
import { boolean, index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../db/columns.ts";

/**
 * Jobs that have not ended, each with its lease. graphile-worker says when one is to run; whether it may run, and whether
 * it still has to, is said here. So a job whose process died is added to the queue again, and not beside a run that holds it.
 * Times are the database's.
 */
export const jobLeases = pgTable(
  "job_leases",
  {
    /** Also its key in the queue. */
    key: text().primaryKey(),
    name: text().notNull(),
    payload: json().notNull(),
    dueAt: instant().notNull(),
    /** Runs in a row that failed or were cut. */
    runs: integer().notNull().default(0),
    /** Why the last of them failed, for operators. */
    lastError: text(),
    /** Names the run that holds it; null: none does. */
    lease: text(),
    leasedUntil: instant(),
    /** It was added again while it ran, and is due again after this run. */
    again: boolean().notNull().default(false),
  },
  (table) => [
    index("job_leases_due").on(sql`coalesce(${table.leasedUntil}, ${table.dueAt})`),
    index("job_leases_held").on(table.leasedUntil).where(sql`lease is not null`),
  ],
);
