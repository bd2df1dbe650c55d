import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../db/columns.ts";

/** Worker pools that may hold jobs. The row exists before its pool takes the first job. */
export const workerPools = pgTable("worker_pools", {
  /** As the job queue stores it in `locked_by`; the pool holds an advisory lock on it while it is alive. */
  id: text().primaryKey(),
  /** On the database's clock. */
  seenAt: instant().notNull().default(sql`now()`),
});
