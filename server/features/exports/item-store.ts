import { and, asc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { ItemOutcome } from "../../../contract/endpoints/exports.ts";
import type { LedgerEntry } from "../../../domain/exports/ledger.ts";
import type { OpenItem } from "../../../domain/exports/next-step.ts";
import type { Queryable } from "../../db/database.ts";
import { exportLedger } from "../ledger/index.ts";
import { exportItems } from "./tables.ts";
import type { Tracker } from "./trackers/tracker.ts";

export type ItemRow = typeof exportItems.$inferSelect;
export type LedgerRow = typeof exportLedger.$inferSelect;

/** Returns a row in the form that the rules of the ledger take. */
export const entryOf = ({
  state,
  sends,
  lookUps,
  lookAt,
  settlesAt,
}: Pick<LedgerRow, "state" | "sends" | "lookUps" | "lookAt" | "settlesAt">): LedgerEntry => ({
  ...{ state, sends, lookUps },
  lookAt: lookAt?.getTime() ?? null,
  settlesAt: settlesAt?.getTime() ?? null,
});

/** Whether an issue needs no more placing below another: it is there, or placing it was refused before. */
export const isPlacedBelow = (row: Pick<LedgerRow, "parentRef" | "refusedParentRef"> | null, parentRef: string) =>
  row?.parentRef === parentRef || row?.refusedParentRef === parentRef;

/** The run of the items, and their ledger. */
export interface RunKey {
  readonly id: string;
  readonly estimationId: string;
  readonly destination: string;
}

/**
 * Whether a run creates another issue for one that the tracker has made but does not show: once, and only if it was
 * asked to.
 */
export const isMadeAnew = ({ stage, sends }: Pick<ItemRow, "stage" | "sends">): boolean =>
  stage === "recreate" && sends === 0;

/** Open items that a step looks at: enough unless all of them wait. */
export const LOOKED_AT = 100;
/** Rows of one statement. */
const BATCH = 500;

const ledgerOf = ({ estimationId, destination }: RunKey, taskId: typeof exportItems.taskId) =>
  and(
    eq(exportLedger.estimationId, estimationId),
    eq(exportLedger.destination, destination),
    eq(exportLedger.taskId, taskId),
  );

const byTask = (exportId: string, taskIds: readonly string[]): SQL | undefined =>
  and(eq(exportItems.exportId, exportId), inArray(exportItems.taskId, [...taskIds]));

/** Stores the items of a run. Storing them twice changes nothing. */
export async function insertItems(
  tx: Queryable,
  items: readonly Pick<
    ItemRow,
    "exportId" | "number" | "taskId" | "level" | "depth" | "parentId" | "linkId" | "milestone" | "warnings"
  >[],
): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) {
    await tx
      .insert(exportItems)
      .values(items.slice(at, at + BATCH))
      .onConflictDoNothing();
  }
}

/** Reads the first `limit` open items of a run, or all of them, with what the ledger knows of them. */
export async function openItems(db: Queryable, run: RunKey, limit: number | "all" = LOOKED_AT): Promise<OpenItem[]> {
  const query = db
    .select({
      taskId: exportItems.taskId,
      level: exportItems.level,
      stage: exportItems.stage,
      sends: exportItems.sends,
      ledger: exportLedger,
    })
    .from(exportItems)
    .leftJoin(exportLedger, ledgerOf(run, exportItems.taskId))
    .where(and(eq(exportItems.exportId, run.id), eq(exportItems.outcome, "pending")))
    .orderBy(asc(exportItems.level), asc(exportItems.number));
  const rows = await (limit === "all" ? query : query.limit(limit));
  return rows.map(({ ledger, sends, ...item }) => {
    const isGone = item.stage === "recreate" && ledger?.state === "created" && ledger.goneAt !== null;
    // An issue that is to be made again and was not sent yet counts as new.
    const isNew = isGone || (ledger?.state === "made" && isMadeAnew({ ...item, sends }));
    return { ...item, entry: ledger === null || isNew ? null : entryOf(ledger) };
  });
}

/** Resets the open items of a run: issues that were gone when it ended may be back. */
export async function beginAnew(tx: Queryable, exportId: string): Promise<void> {
  await tx
    .update(exportItems)
    .set({ stage: "start" })
    .where(
      and(eq(exportItems.exportId, exportId), eq(exportItems.outcome, "pending"), eq(exportItems.stage, "recreate")),
    );
}

/** Reads items of a run by their tasks, in order, with their rows of the ledger. */
export async function itemsOf(
  db: Queryable,
  run: RunKey,
  taskIds: readonly string[],
): Promise<{ item: ItemRow; ledger: LedgerRow | null }[]> {
  return db
    .select({ item: exportItems, ledger: exportLedger })
    .from(exportItems)
    .leftJoin(exportLedger, ledgerOf(run, exportItems.taskId))
    .where(byTask(run.id, taskIds))
    .orderBy(asc(exportItems.number));
}

/** Reads rows of the ledger by their tasks. */
export function ledgerRows(
  db: Queryable,
  { estimationId, destination }: RunKey,
  taskIds: readonly string[],
): Promise<LedgerRow[]> {
  return db
    .select()
    .from(exportLedger)
    .where(
      and(
        eq(exportLedger.estimationId, estimationId),
        eq(exportLedger.destination, destination),
        inArray(exportLedger.taskId, [...taskIds]),
      ),
    );
}

/** Changes an item that is still open; returns whether it was. */
export async function updateItem(
  tx: Queryable,
  exportId: string,
  taskId: string,
  changes: Partial<Omit<ItemRow, "exportId" | "number" | "taskId">>,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(exportItems)
    .set(changes)
    .where(and(byTask(exportId, [taskId]), eq(exportItems.outcome, "pending")));
  return rowCount === 1;
}

/**
 * Counts the writes that a run still has to do, as far as known: an existing issue counts only after it was read and
 * differs.
 */
export async function writesLeft(
  db: Queryable,
  run: RunKey,
  { batch, placesAtCreation }: Pick<Tracker, "batch" | "placesAtCreation">,
): Promise<number> {
  const exists = sql`(${exportLedger.state} = 'created' and ${exportLedger.goneAt} is null)`;
  const isNew = sql`(${exportItems.stage} in ('start', 'recreate') and ${exists} is not true)`;
  const counted = (which: SQL) => sql<number>`(count(*) filter (where ${which}))::int`;
  const [row] = await db
    .select({
      made: counted(isNew),
      placed: counted(sql`${isNew} and ${exportItems.parentId} is not null`),
      others: counted(sql`${exportItems.stage} in ('update', 'link')`),
    })
    .from(exportItems)
    .leftJoin(exportLedger, ledgerOf(run, exportItems.taskId))
    .where(and(eq(exportItems.exportId, run.id), eq(exportItems.outcome, "pending")));
  const { made = 0, placed = 0, others = 0 } = row ?? {};
  return Math.ceil(made / batch) + (placesAtCreation ? 0 : placed) + others;
}

/** Reads the open items of a run whose issue the tracker has made but does not show. */
export function unseenItems(db: Queryable, run: RunKey): Promise<{ item: ItemRow; ledger: LedgerRow }[]> {
  return db
    .select({ item: exportItems, ledger: exportLedger })
    .from(exportItems)
    .innerJoin(exportLedger, ledgerOf(run, exportItems.taskId))
    .where(and(eq(exportItems.exportId, run.id), eq(exportItems.outcome, "pending"), eq(exportLedger.state, "made")));
}

/**
 * Ends the open items of a dry run whose issue is not known; `isGone`: only those whose issue was deleted there and not
 * made again. Returns how many.
 */
export async function endUnmade(
  tx: Queryable,
  run: RunKey,
  outcome: Exclude<ItemOutcome, "pending">,
  { isGone = false, reason = null }: { readonly isGone?: boolean; readonly reason?: string | null } = {},
): Promise<number> {
  const rowWith = (which: SQL) => sql`exists (select from ${exportLedger}
    where ${ledgerOf(run, exportItems.taskId)} and ${which})`;
  const { rowCount } = await tx
    .update(exportItems)
    .set({ outcome, reason })
    .where(
      and(
        eq(exportItems.exportId, run.id),
        eq(exportItems.outcome, "pending"),
        sql`not ${rowWith(sql`${exportLedger.state} = 'created'`)}`,
        isGone ? rowWith(sql`${exportLedger.goneAt} is not null`) : undefined,
      ),
    );
  return rowCount ?? 0;
}

/** Reads the items whose issue was sent more than once, by this run or an earlier one: a twin of it may appear late. */
export async function unsweptItems(db: Queryable, run: RunKey): Promise<{ item: ItemRow; ledger: LedgerRow }[]> {
  return db
    .select({ item: exportItems, ledger: exportLedger })
    .from(exportItems)
    .innerJoin(exportLedger, ledgerOf(run, exportItems.taskId))
    .where(and(eq(exportItems.exportId, run.id), exportLedger.unswept))
    .orderBy(asc(exportItems.number));
}

/** Adds warnings to an item, whatever its outcome. */
export async function warn(tx: Queryable, item: ItemRow, more: NonNullable<ItemRow["warnings"]>): Promise<void> {
  await tx
    .update(exportItems)
    .set({ warnings: [...(item.warnings ?? []), ...more] })
    .where(byTask(item.exportId, [item.taskId]));
}

interface ItemQuery {
  readonly exportId: string;
  readonly outcome: readonly ItemOutcome[] | undefined;
  readonly limit: number;
  readonly after: number | null;
}

/** Reads at most `limit` items of a run, in order. */
export function listItems(db: Queryable, { exportId, outcome, limit, after }: ItemQuery): Promise<ItemRow[]> {
  return db
    .select()
    .from(exportItems)
    .where(
      and(
        eq(exportItems.exportId, exportId),
        outcome === undefined ? undefined : inArray(exportItems.outcome, [...outcome]),
        after === null ? undefined : gt(exportItems.number, after),
      ),
    )
    .orderBy(asc(exportItems.number))
    .limit(limit);
}

/** The tasks of a run that got no issue. */
export async function unfinishedTasks(db: Queryable, exportId: string): Promise<Set<string>> {
  const rows = await db
    .select({ taskId: exportItems.taskId })
    .from(exportItems)
    .where(and(eq(exportItems.exportId, exportId), inArray(exportItems.outcome, ["pending", "failed"])));
  return new Set(rows.map(({ taskId }) => taskId));
}

/** The tasks that a run listed as obsolete, in order. */
export async function obsoleteItems(db: Queryable, exportId: string): Promise<string[]> {
  const rows = await db
    .select({ taskId: exportItems.taskId })
    .from(exportItems)
    .where(and(eq(exportItems.exportId, exportId), eq(exportItems.outcome, "obsolete")))
    .orderBy(asc(exportItems.number));
  return rows.map(({ taskId }) => taskId);
}

/** The titles of the milestones that tasks of a run belong to. */
export async function usedMilestones(db: Queryable, exportId: string): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ milestone: exportItems.milestone })
    .from(exportItems)
    .where(and(eq(exportItems.exportId, exportId), sql`${exportItems.milestone} is not null`));
  return new Set(rows.map(({ milestone }) => milestone ?? ""));
}
