import { randomBytes } from "node:crypto";
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import {
  afterLookUp,
  type LedgerEvent,
  type LedgerState,
  LOOK_UPS,
  LOOKED_UP,
  type LookUp,
  lookedForAgain,
  madeOfSeveral,
} from "../../../domain/exports/ledger.ts";
import type { Queryable } from "../../db/database.ts";
import { exportLedger } from "../ledger/index.ts";
import { entryOf, type LedgerRow, type RunKey } from "./item-store.ts";
import type { Issue } from "./trackers/issues.ts";

/** Bytes of a marker: enough that it cannot be guessed. */
const MARKER_BYTES = 24;

const rowOf = ({ estimationId, destination }: RunKey, taskId: string) =>
  and(
    eq(exportLedger.estimationId, estimationId),
    eq(exportLedger.destination, destination),
    eq(exportLedger.taskId, taskId),
  );

interface Intent {
  readonly taskId: string;
  readonly marker: string;
  readonly pushed: Record<string, string>;
  /** The `ref` of the issue that it is placed below at its creation. */
  readonly parentRef: string | null;
  readonly sinceAt: Date;
  /** Whether it is sent although the tracker has already made an issue that it does not show. */
  readonly isAnew: boolean;
}

/**
 * Returns the marker of the next issue of a task: the same as before, unless that one is known to be gone. So a search
 * for an issue that is made again also finds the one that was not shown.
 */
export const markerFor = (row: LedgerRow | null): string =>
  row && (row.state !== "created" || row.goneAt === null)
    ? row.marker
    : randomBytes(MARKER_BYTES).toString("base64url");

/**
 * Stores that an issue is about to be created. `sinceAt`: a time of the tracker before that. Returns the number of the
 * send; null: another job is sending it. What is known about an issue that is gone, or that the tracker has made but
 * does not show, stays until there is a new one.
 */
export async function storeIntent(
  tx: Queryable,
  run: RunKey & { readonly target: ExportTarget },
  { taskId, marker, pushed, parentRef, sinceAt, isAnew }: Intent,
  now: Date,
): Promise<number | null> {
  const fresh = { state: "sending", marker, pushed, parentRef, refusedParentRef: null, sentAt: now } as const;
  const isSame = sql`${exportLedger.marker} = excluded.marker`;
  const [row] = await tx
    .insert(exportLedger)
    .values({
      ...{ estimationId: run.estimationId, destination: run.destination, target: run.target, taskId },
      ...{ ...fresh, sinceAt, sends: 1, touchedAt: now },
    })
    .onConflictDoUpdate({
      target: [exportLedger.estimationId, exportLedger.destination, exportLedger.taskId],
      set: {
        ...{ ...fresh, sends: sql`${exportLedger.sends} + 1` },
        sinceAt: sql`case when ${isSame} then coalesce(${exportLedger.sinceAt}, excluded.since_at) else excluded.since_at end`,
        lookUps: sql`case when ${isSame} then ${exportLedger.lookUps} else 0 end`,
        unswept: sql`${isSame} and (${exportLedger.unswept} or ${sentBefore} or ${wasMade})`,
      },
      setWhere: sql`${exportLedger.state} in ('pending', 'failed', 'unknown')
        or (${exportLedger.state} = 'created' and ${exportLedger.goneAt} is not null)
        or (${exportLedger.state} = 'made' and ${isAnew})`,
    })
    .returning({ sends: exportLedger.sends });
  return row?.sends ?? null;
}

/** As `wasSentBefore` says. */
const sentBefore = sql`${exportLedger.lookUps} >= ${sql.raw(String(LOOK_UPS))}`;
/** Whether the tracker has made an issue that is not known yet. */
const wasMade = sql`${exportLedger.among} is not null`;

/**
 * Stores that the issue exists. That is true even if another job works on the run by now. `sends`: only if nothing was
 * sent since.
 */
export async function storeIssue(
  tx: Queryable,
  run: RunKey,
  taskId: string,
  { ref, key, url }: Issue,
  { now, sends }: { readonly now: Date; readonly sends?: number },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(exportLedger)
    .set({ state: "created", ref, key, url, among: null, goneAt: null, touchedAt: now })
    .where(
      and(
        rowOf(run, taskId),
        inArray(exportLedger.state, LOOKED_UP),
        sends === undefined ? undefined : eq(exportLedger.sends, sends),
      ),
    );
  return rowCount === 1;
}

/** Stores another outcome of a send, if it is still the last one. */
export async function storeNoIssue(
  tx: Queryable,
  run: RunKey,
  {
    taskId,
    sends,
    outcome,
    among = null,
  }: {
    readonly taskId: string;
    readonly sends: number;
    readonly outcome: NoIssue;
    /** For the outcome `made`: the names of the issues, one of which it is. */
    readonly among?: string | null;
  },
): Promise<void> {
  // No other issue was made in place of one that is gone: only an export with `recreateDeleted` sends it again.
  const without = (before: LedgerState, state: LedgerState) => sql`case when ${wasMade} then 'made'
    when ${sentBefore} then ${before} when ${exportLedger.goneAt} is null then ${state} else 'created' end`;
  const changes = {
    not_sent: { state: without("unknown", "pending") },
    refused: { state: without("failed", "failed") },
    lost: { state: "unknown" as const, lookUps: 0, lookAt: null, settlesAt: null },
    made: { ...madeOfSeveral, among },
  }[outcome];
  // Another job may have looked for it since: it is still true that it was made.
  const states: LedgerState[] = outcome === "made" ? ["sending", "unknown"] : ["sending"];
  await tx
    .update(exportLedger)
    .set(changes)
    .where(and(rowOf(run, taskId), inArray(exportLedger.state, states), eq(exportLedger.sends, sends)));
}

/** Stores of every issue that was being sent that nobody knows whether it was made: whoever sent it is gone. */
export async function loseSends(tx: Queryable): Promise<void> {
  const isSending = eq(exportLedger.state, "sending");
  await tx.update(exportLedger).set({ state: "unknown", lookUps: 0, lookAt: null, settlesAt: null }).where(isSending);
}

/** Stores that a run no longer looks for issues that the tracker has made but does not show. */
export async function storeGivenUp(tx: Queryable, run: RunKey, taskIds: readonly string[]): Promise<void> {
  await tx.update(exportLedger).set(lookedForAgain).where(madeOf(run, taskIds));
}

const madeOf = ({ estimationId, destination }: RunKey, taskIds: readonly string[]) =>
  and(
    eq(exportLedger.estimationId, estimationId),
    eq(exportLedger.destination, destination),
    inArray(exportLedger.taskId, [...taskIds]),
    eq(exportLedger.state, "made"),
  );

/**
 * Stores that an issue which is gone, or which the tracker has made but does not show, was not made again, once it is
 * known that no request has made it.
 */
export async function storeNotRecreated(tx: Queryable, run: RunKey, taskId: string): Promise<void> {
  const isAbsent = inArray(exportLedger.state, ["pending", "failed", "unknown"]);
  await tx
    .update(exportLedger)
    .set({ ...lookedForAgain, state: sql`case when ${wasMade} then 'made' else 'created' end` })
    .where(and(rowOf(run, taskId), isAbsent, sql`(${wasMade} or ${exportLedger.goneAt} is not null)`));
}

/** Outcomes of a send after which no issue is known, as events of the ledger. */
export type NoIssue = Extract<LedgerEvent["event"], "not_sent" | "refused" | "lost" | "made">;

/**
 * Stores a look-up that found nothing, only if the row is still as it was read before the look-up. So each look-up
 * counts once, even if it is stored twice or another job did the same one.
 */
export async function storeLookUp(tx: Queryable, run: RunKey, row: LedgerRow, looked: LookUp): Promise<void> {
  const { state, lookUps, lookAt, settlesAt } = afterLookUp(entryOf(row), looked);
  await tx
    .update(exportLedger)
    .set({ state, lookUps, lookAt: new Date(lookAt), settlesAt: new Date(settlesAt) })
    .where(
      and(
        rowOf(run, row.taskId),
        eq(exportLedger.state, row.state),
        inArray(exportLedger.state, LOOKED_UP),
        eq(exportLedger.sends, row.sends),
        eq(exportLedger.lookUps, row.lookUps),
      ),
    );
}

/** Stores what is known about an existing issue. */
export async function changeLedger(
  tx: Queryable,
  run: RunKey,
  taskId: string,
  changes: Partial<Omit<LedgerRow, "estimationId" | "destination" | "taskId" | "state" | "sends">>,
): Promise<void> {
  await tx.update(exportLedger).set(changes).where(rowOf(run, taskId));
}

/** Reads the tasks whose issue is known to exist in a destination, with the issue. */
export function createdRows(db: Queryable, run: RunKey): Promise<Pick<LedgerRow, "taskId" | "ref" | "parentRef">[]> {
  return db
    .select({ taskId: exportLedger.taskId, ref: exportLedger.ref, parentRef: exportLedger.parentRef })
    .from(exportLedger)
    .where(
      and(
        eq(exportLedger.estimationId, run.estimationId),
        eq(exportLedger.destination, run.destination),
        eq(exportLedger.state, "created"),
        sql`${exportLedger.goneAt} is null`,
      ),
    );
}

/**
 * Changes the key of a destination's rows to its present one. Rows that already have it stay; if a task has both,
 * its row with the old key stays unchanged.
 */
export async function renameDestination(
  tx: Queryable,
  { estimationId, destination, former }: Pick<RunKey, "estimationId" | "destination"> & { former: readonly string[] },
): Promise<void> {
  if (former.length === 0) return;
  const known = tx
    .select({ taskId: exportLedger.taskId })
    .from(exportLedger)
    .where(and(eq(exportLedger.estimationId, estimationId), eq(exportLedger.destination, destination)));
  await tx
    .update(exportLedger)
    .set({ destination })
    .where(
      and(
        eq(exportLedger.estimationId, estimationId),
        inArray(exportLedger.destination, [...former]),
        notInArray(exportLedger.taskId, known),
      ),
    );
}
