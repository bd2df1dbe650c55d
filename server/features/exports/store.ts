import { and, count, desc, eq, gt, inArray, lt, ne, or, sql } from "drizzle-orm";
import type { ExportTarget } from "../../../contract/connections.ts";
import type { ExportStatus } from "../../../contract/exports.ts";
import type { Queryable } from "../../db/database.ts";
import type { Lease } from "../../jobs/job.ts";
import { isInHand } from "../../jobs/queue-store.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { type RemovePart, removeRows } from "../estimations/index.ts";
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

/**
 * Takes an active run for a job. `null`: the run is not active; "held": another job, which is still held by a living
 * worker, works on it.
 */
export async function takeRun(
  db: Queryable,
  id: string,
  { jobId, poolId, starts }: Lease,
  now: Date,
): Promise<RunRow | "held" | null> {
  const isFree = sql`(${exportRuns.leaseJob} is null or ${exportRuns.leaseJob} = ${jobId}::bigint
    or not ${isInHand(sql`${exportRuns.leaseJob}`, sql`${exportRuns.leasePool}`)})`;
  const [taken] = await db
    .update(exportRuns)
    .set({ leaseJob: Number(jobId), leasePool: poolId, leaseStarts: starts, status: "running", updatedAt: now })
    .where(and(eq(exportRuns.id, id), isActive, isFree))
    .returning();
  if (taken) return taken;
  const [row] = await db
    .select({ id: exportRuns.id })
    .from(exportRuns)
    .where(and(eq(exportRuns.id, id), isActive));
  return row ? "held" : null;
}

const heldBy = (id: string, { jobId, starts }: Lease) =>
  and(eq(exportRuns.id, id), isActive, eq(exportRuns.leaseJob, Number(jobId)), eq(exportRuns.leaseStarts, starts));

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

/**
 * Reads active runs that have not changed for `idleMs`, or changed while a clock was ahead that has been set back since; a worker
 * may still be working on them.
 */
export function idleRuns(db: Queryable, idleMs: number, now: Date, limit: number): Promise<{ id: string }[]> {
  const [earliest, latest] = [new Date(now.getTime() - idleMs), new Date(now.getTime() + CLOCK_SKEW_MS)];
  return db
    .select({ id: exportRuns.id })
    .from(exportRuns)
    .where(and(isActive, or(lt(exportRuns.updatedAt, earliest), gt(exportRuns.updatedAt, latest))))
    .orderBy(exportRuns.updatedAt)
    .limit(limit);
}

/** Removes up to `rows` rows of the runs of an estimation that is permanently removed. */
export const removeExportsForGood: RemovePart = async (tx, estimationId, rows) => {
  const ofEstimation = sql`${exportItems.exportId} in (
    select id from ${exportRuns} where ${eq(exportRuns.estimationId, estimationId)})`;
  const items = await removeRows(tx, exportItems, ofEstimation, rows);
  if (items >= rows) return items;
  return items + (await removeRows(tx, exportRuns, eq(exportRuns.estimationId, estimationId), rows - items));
};
