import { randomBytes } from "node:crypto";
import { and, eq, gte, inArray, sql } from "drizzle-orm";
import type { ExportTarget } from "../../../contract/connections.ts";
import { ACTS_MS, actedUntil, LOOK_UPS, lookUpsAfter } from "../../../domain/exports/ledger.ts";
import type { Queryable } from "../../db/database.ts";
import { exportLedger } from "../ledger/index.ts";
import type { LedgerRow, RunKey } from "./item-store.ts";
import type { Issue } from "./trackers/tracker.ts";

/** Bytes of a marker: nobody guesses one. */
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
}

/** Returns the marker of the next issue of a task: the same as before, unless that one is known to be gone. */
export const markerFor = (row: LedgerRow | null): string =>
  row && row.goneAt === null ? row.marker : randomBytes(MARKER_BYTES).toString("base64url");

/** Stores that an issue is about to be created. Returns the number of the send; null: somebody else is at it. */
export async function storeIntent(
  tx: Queryable,
  run: RunKey & { readonly target: ExportTarget },
  { taskId, marker, pushed, parentRef }: Intent,
  now: Date,
): Promise<number | null> {
  const fresh = { state: "sending", marker, pushed, parentRef, sentAt: now, lookUps: 0, goneAt: null } as const;
  const none = { ref: null, key: null, url: null };
  const [row] = await tx
    .insert(exportLedger)
    .values({
      ...{ estimationId: run.estimationId, destination: run.destination, target: run.target, taskId },
      ...fresh,
      sends: 1,
      touchedAt: now,
    })
    .onConflictDoUpdate({
      target: [exportLedger.estimationId, exportLedger.destination, exportLedger.taskId],
      set: { ...fresh, ...none, sends: sql`${exportLedger.sends} + 1` },
      setWhere: sql`${exportLedger.state} in ('pending', 'failed', 'unknown')
        or (${exportLedger.state} = 'created' and ${exportLedger.goneAt} is not null)`,
    })
    .returning({ sends: exportLedger.sends });
  return row?.sends ?? null;
}

/**
 * Stores that the issue exists, whoever finds out: it is true even if another job works on the run by now. `sends`: only if
 * nothing was sent since.
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
    .set({ state: "created", ref, key, url, touchedAt: now })
    .where(
      and(
        rowOf(run, taskId),
        inArray(exportLedger.state, ["sending", "unknown"]),
        sends === undefined ? undefined : eq(exportLedger.sends, sends),
      ),
    );
  return rowCount === 1;
}

/** Stores another outcome of a send that still is the last one; of an unknown one also until when it can have acted. */
export async function storeNoIssue(
  tx: Queryable,
  run: RunKey,
  {
    taskId,
    sends,
    state,
  }: { readonly taskId: string; readonly sends: number; readonly state: "pending" | "failed" | "unknown" },
  now: Date,
): Promise<void> {
  await tx
    .update(exportLedger)
    .set({ state, ...(state === "unknown" ? { sentAt: earlier(now) } : {}) })
    .where(and(rowOf(run, taskId), eq(exportLedger.state, "sending"), eq(exportLedger.sends, sends)));
}

/** `now`, but not later than a request can act: a process that was paused stores its outcome long after. */
const earlier = (now: Date) =>
  sql`least(${exportLedger.sentAt} + ${`${ACTS_MS} milliseconds`}::interval, ${now.toISOString()}::timestamptz)`;

/** A look-up: when it began, and after how long the tracker shows what it has. */
interface LookUp {
  readonly began: Date;
  readonly settleMs: number;
}

/**
 * Stores a look-up that found nothing, by the row as it was read before it. Only while the row is still the same: each
 * look-up counts once, whether it is stored twice or another job did the same one.
 */
export async function storeLookUp(
  tx: Queryable,
  run: RunKey,
  { taskId, sends, lookUps, ...row }: Pick<LedgerRow, "taskId" | "sends" | "lookUps" | "sentAt" | "state">,
  { began, settleMs }: LookUp,
): Promise<void> {
  const entry = { state: row.state, sentAt: row.sentAt?.getTime() ?? null };
  const until = actedUntil(entry);
  const counted = lookUpsAfter({ ...entry, lookUps }, began.getTime(), settleMs);
  await tx
    .update(exportLedger)
    .set({ state: "unknown", lookUps: counted, sentAt: until === null ? null : new Date(until) })
    .where(
      and(
        rowOf(run, taskId),
        inArray(exportLedger.state, ["sending", "unknown"]),
        eq(exportLedger.sends, sends),
        eq(exportLedger.lookUps, lookUps),
      ),
    );
}

/**
 * Has issues that count as absent looked up once more before they are sent. A run does so when it begins and when it goes
 * on: what was found long ago says little, and an issue may have appeared since.
 */
export async function lookAgain(
  tx: Queryable,
  { estimationId, destination }: Pick<RunKey, "estimationId" | "destination">,
): Promise<void> {
  await tx
    .update(exportLedger)
    .set({ lookUps: LOOK_UPS - 1 })
    .where(
      and(
        eq(exportLedger.estimationId, estimationId),
        eq(exportLedger.destination, destination),
        inArray(exportLedger.state, ["sending", "unknown"]),
        gte(exportLedger.lookUps, LOOK_UPS),
      ),
    );
}

/** Stores what is known of an issue that exists. */
export async function changeLedger(
  tx: Queryable,
  run: RunKey,
  taskId: string,
  changes: Partial<Pick<LedgerRow, "pushed" | "parentRef" | "goneAt" | "pulledDoneAt" | "touchedAt" | "state">>,
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
