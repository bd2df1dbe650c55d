import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../db/columns.ts";

/** Worker pools that may hold jobs. A row is there before its pool takes the first job. */
export const workerPools = pgTable("worker_pools", {
  /** As the job queue notes it in `locked_by`; also what the pool holds an advisory lock on while it lives. */
  id: text().primaryKey(),
  /** Time of the database. */
  seenAt: instant().notNull().default(sql`now()`),
});
