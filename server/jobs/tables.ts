import { sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../db/columns.ts";

/** Worker pools that may hold jobs. The row exists before its pool takes the first job. */
export const workerPools = pgTable("worker_pools", {
  /** As the job queue stores it in `locked_by`; the pool holds an advisory lock on it while it is alive. */
  id: text().primaryKey(),
  /** On the database's clock. */
  seenAt: instant().notNull().default(sql`now()`),
});

/** The latest time that a worker has seen on the database's clock, in one row: an earlier one means that it was set back. */
export const queueClock = pgTable("queue_clock", {
  id: integer().primaryKey(),
  latest: instant().notNull(),
  /** When it was last set back; null: not yet. */
  setBackAt: instant(),
});
