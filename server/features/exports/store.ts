import { and, count, desc, eq, inArray, lt, ne, sql } from "drizzle-orm";
import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { ExportStatus } from "../../../contract/endpoints/exports.ts";
import type { Queryable } from "../../db/database.ts";
import type { Lease } from "../../jobs/job.ts";
import { estimations } from "../estimations/index.ts";
import { exportLedger } from "../ledger/index.ts";
import { exportItems, exportRuns } from "./tables.ts";

export type RunRow = typeof exportRuns.$inferSelect;

export const isActive = inArray(exportRuns.status, ["queued", "running"]);

/** Returns the id of the run of an estimation and tracker that is under way; undefined if there is none. */
export async function findActive(
  db: Queryable,
  estimationId: string,
  target: ExportTarget,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: exportRuns.id })
    .from(exportRuns)
    .where(and(eq(exportRuns.estimationId, estimationId), eq(exportRuns.target, target), isActive));
  return row?.id;
}

export async function insertRun(tx: Queryable, run: typeof exportRuns.$inferInsert): Promise<RunRow> {
  const [row] = await tx.insert(exportRuns).values(run).returning();
  return row as RunRow;
}

/** Counts the other destinations that an estimation was exported to. */
export async function countOtherDestinations(
  db: Queryable,
  estimationId: string,
  destination: string,
): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(distinct ${exportLedger.destination})::int` })
    .from(exportLedger)
    .where(and(eq(exportLedger.estimationId, estimationId), ne(exportLedger.destination, destination)));
  return row?.count ?? 0;
}

export async function findRun(db: Queryable, estimationId: string, id: string): Promise<RunRow | undefined> {
  const [row] = await db
    .select()
    .from(exportRuns)
    .where(and(eq(exportRuns.estimationId, estimationId), eq(exportRuns.id, id)));
  return row;
}

interface RunQuery {
  readonly estimationId: string;
  readonly status: readonly ExportStatus[] | undefined;
  readonly limit: number;
  readonly afterId: string | null;
}

/** Reads at most `limit` runs of an estimation, newest first. */
export function listRuns(db: Queryable, { estimationId, status, limit, afterId }: RunQuery): Promise<RunRow[]> {
  return db
    .select()
    .from(exportRuns)
    .where(
      and(
        eq(exportRuns.estimationId, estimationId),
        status === undefined ? undefined : inArray(exportRuns.status, [...status]),
        afterId === null ? undefined : lt(exportRuns.id, afterId),
      ),
    )
    .orderBy(desc(exportRuns.id))
    .limit(limit);
}

export async function updateRun(tx: Queryable, id: string, changes: Partial<RunRow>): Promise<RunRow | undefined> {
  const [row] = await tx.update(exportRuns).set(changes).where(eq(exportRuns.id, id)).returning();
  return row;
}

/** Returns whether a run has tasks without an issue. */
export async function hasUnfinished(db: Queryable, exportId: string): Promise<boolean> {
  const [row] = await db
    .select({ count: count() })
    .from(exportItems)
    .where(and(eq(exportItems.exportId, exportId), inArray(exportItems.outcome, ["pending", "failed"])));
  return (row?.count ?? 0) > 0;
}

/** Takes an active run for a job, from any job that worked on it before; undefined if the run is not active. */
export async function takeRun(db: Queryable, id: string, { token }: Lease, now: Date): Promise<RunRow | undefined> {
  const [taken] = await db
    .update(exportRuns)
    .set({ lease: token, status: "running", updatedAt: now })
    .where(and(eq(exportRuns.id, id), isActive))
    .returning();
  return taken;
}

const heldBy = (id: string, { token }: Lease) => and(eq(exportRuns.id, id), isActive, eq(exportRuns.lease, token));

/** Locks a run that this job took; undefined if it has ended, or another job took it meanwhile. */
export async function lockTaken(tx: Queryable, id: string, lease: Lease): Promise<RunRow | undefined> {
  const [row] = await tx.select().from(exportRuns).where(heldBy(id, lease)).for("update");
  return row;
}

/** Returns whether this job still holds a run. */
export async function isTaken(db: Queryable, id: string, lease: Lease): Promise<boolean> {
  const [row] = await db.select({ id: exportRuns.id }).from(exportRuns).where(heldBy(id, lease));
  return row !== undefined;
}

/** Counts the other active runs by a connection, whose row is locked. */
export async function countActiveBy(tx: Queryable, connectionId: string): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(exportRuns)
    .where(and(eq(exportRuns.connectionId, connectionId), isActive));
  return row?.count ?? 0;
}

/** The same of all runs of a user. */
export async function countActiveOf(tx: Queryable, userId: string): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(exportRuns)
    .where(and(eq(exportRuns.userId, userId), isActive));
  return row?.count ?? 0;
}

/** Reads the title of an estimation. */
export async function estimationTitle(db: Queryable, id: string): Promise<string> {
  const [row] = await db.select({ title: estimations.title }).from(estimations).where(eq(estimations.id, id));
  return row?.title ?? "";
}
