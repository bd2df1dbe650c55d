import { and, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { refuseBeyond } from "../../http/quota.ts";
import { halfOf } from "./quota-for.ts";
import { decisionTrees, estimationListings, estimations, estimationUsage, timelines } from "./tables.ts";
import { measureTexts, STEP_BYTES } from "./text-usage-store.ts";

/** Adds one to the number of the owner's estimations and returns it. Refuses (409) more than `quota`. */
export async function addEstimation(tx: Queryable, ownerId: string, quota: number): Promise<number> {
  const usage = await addUsage(tx, { ownerId, estimations: 1, treeSteps: 0 });
  refuseBeyond("estimations", quota, usage.estimations);
  return usage.estimations;
}

/**
 * Counts a new estimation. Refuses (409) more than `quota`, and more than twice `quota` including the deleted ones that can
 * be restored, because these take space too.
 */
export async function addNewEstimation(tx: Queryable, ownerId: string, quota: number): Promise<void> {
  const count = await addEstimation(tx, ownerId, quota);
  refuseBeyond("estimations", 2 * quota, count + (await countDeleted(tx, ownerId)));
}

function countDeleted(tx: Queryable, ownerId: string): Promise<number> {
  const { userId, tag, status, level } = estimationListings;
  const isDeletedOfOwner = and(eq(userId, ownerId), eq(tag, ""), eq(status, "deleted"), eq(level, "owner"));
  return tx.$count(estimationListings, isDeletedOfOwner);
}

/** Subtracts one estimation. Its tree still counts until it is removed permanently. */
export async function removeEstimation(tx: Queryable, ownerId: string): Promise<void> {
  await addUsage(tx, { ownerId, estimations: -1, treeSteps: 0 });
}

/**
 * Moves an estimation, with its tree and its versions, from one owner's usage to another's, before it gets the new owner: then
 * a trigger moves its texts. Refuses (409) what makes the new owner exceed half of a quota, of which that of estimations is
 * twice as large with the deleted ones: nobody is asked before a transfer, so it must leave room for the new owner's own work.
 */
export async function moveUsage(
  tx: Queryable,
  { id, ownerId, versionBytes }: { readonly id: string; readonly ownerId: string; readonly versionBytes: number },
  newOwnerId: string,
  quotas: Readonly<Record<"estimations" | "treeBytes" | "versionBytes" | "textBytes", number>>,
): Promise<void> {
  const [tree] = await tx
    .select({ bytes: decisionTrees.bytes })
    .from(decisionTrees)
    .where(eq(decisionTrees.estimationId, id));
  const [timeline] = await tx.select({ bytes: timelines.bytes }).from(timelines).where(eq(timelines.estimationId, id));
  const treeSteps = stepsOf(tree?.bytes ?? 0) + timelineStepsOf(timeline?.bytes ?? 0);
  const textSteps = textStepsOf(await measureTexts(tx, id));
  const changes = [
    { ownerId, estimations: -1, treeSteps: -treeSteps, versionBytes: -versionBytes },
    { ownerId: newOwnerId, estimations: 1, treeSteps, versionBytes },
  ];
  const refuseBeyondHalf = (quota: keyof typeof quotas, amount: number) =>
    refuseBeyond(quota, halfOf(quotas[quota]), amount);
  // Locks the rows in the order of their ids, to avoid deadlocks between two transfers.
  for (const change of changes.sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1))) {
    const usage = await addUsage(tx, change);
    if (change.ownerId === ownerId) continue;
    refuseBeyondHalf("estimations", usage.estimations);
    refuseBeyond("estimations", quotas.estimations, usage.estimations + (await countDeleted(tx, newOwnerId)));
    if (treeSteps > 0) refuseBeyondHalf("treeBytes", usage.treeSteps * STEP_BYTES);
    if (versionBytes > 0) refuseBeyondHalf("versionBytes", usage.versionBytes);
    if (textSteps > 0) refuseBeyondHalf("textBytes", (usage.textSteps + textSteps) * STEP_BYTES);
  }
}

/** Counts the change of a tree from `before` to `after` bytes. Refuses (409) growth of the owner's trees beyond `quotaBytes`. */
export async function accountTree(
  tx: Queryable,
  ownerId: string,
  { before, after, quotaBytes }: { readonly before: number; readonly after: number; readonly quotaBytes: number },
): Promise<void> {
  const treeSteps = stepsOf(after) - stepsOf(before);
  if (treeSteps === 0) return;
  const usage = await addUsage(tx, { ownerId, estimations: 0, treeSteps });
  if (treeSteps > 0) refuseBeyond("treeBytes", quotaBytes, usage.treeSteps * STEP_BYTES);
}

/** Accounts a timeline like a tree, except that small ones are free. */
export async function accountTimeline(
  tx: Queryable,
  ownerId: string,
  { before, after, quotaBytes }: { readonly before: number; readonly after: number; readonly quotaBytes: number },
): Promise<void> {
  const treeSteps = timelineStepsOf(after) - timelineStepsOf(before);
  if (treeSteps === 0) return;
  const usage = await addUsage(tx, { ownerId, estimations: 0, treeSteps });
  if (treeSteps > 0) refuseBeyond("treeBytes", quotaBytes, usage.treeSteps * STEP_BYTES);
}

/** Takes a removed timeline of a locked estimation off its owner's. */
export const freeTimeline = (tx: Queryable, estimationId: string, bytes: number): Promise<void> =>
  freeSteps(tx, estimationId, timelineStepsOf(bytes));

/** Removes the tree of a locked estimation and subtracts it from its owner's usage. Returns the number of trees, 0 or 1. */
export async function removeTree(tx: Queryable, estimationId: string): Promise<number> {
  const [tree] = await tx
    .delete(decisionTrees)
    .where(eq(decisionTrees.estimationId, estimationId))
    .returning({ bytes: decisionTrees.bytes });
  if (!tree) return 0;
  await freeSteps(tx, estimationId, stepsOf(tree.bytes));
  return 1;
}

async function freeSteps(tx: Queryable, estimationId: string, steps: number): Promise<void> {
  if (steps === 0) return;
  await tx
    .update(estimationUsage)
    .set({ treeSteps: sql`${estimationUsage.treeSteps} - ${steps}` })
    .where(eq(estimationUsage.ownerId, ownerOf(tx, estimationId)));
}

/** Adds `bytes` to what the owner's versions take. Refuses (409) more than `quotaBytes`. */
export async function accountVersions(
  tx: Queryable,
  ownerId: string,
  { bytes, quotaBytes }: { readonly bytes: number; readonly quotaBytes: number },
): Promise<void> {
  const usage = await addUsage(tx, { ownerId, estimations: 0, treeSteps: 0, versionBytes: bytes });
  refuseBeyond("versionBytes", quotaBytes, usage.versionBytes);
}

/** Subtracts `bytes` of removed versions of a locked estimation from its owner's usage. */
export async function freeVersions(tx: Queryable, estimationId: string, bytes: number): Promise<void> {
  await tx
    .update(estimationUsage)
    .set({ versionBytes: sql`${estimationUsage.versionBytes} - ${bytes}` })
    .where(eq(estimationUsage.ownerId, ownerOf(tx, estimationId)));
}

const ownerOf = (tx: Queryable, estimationId: string) =>
  tx.select({ id: estimations.ownerId }).from(estimations).where(eq(estimations.id, estimationId));

const stepsOf = (bytes: number): number => Math.ceil(bytes / STEP_BYTES);
const timelineStepsOf = (bytes: number): number => Math.floor(bytes / STEP_BYTES);
/** As the triggers count. */
const textStepsOf = (bytes: number): number => Math.floor(bytes / STEP_BYTES);

async function addUsage(tx: Queryable, more: typeof estimationUsage.$inferInsert) {
  const { estimations: count, treeSteps, versionBytes, textSteps } = estimationUsage;
  const [usage] = await tx
    .insert(estimationUsage)
    .values(more)
    .onConflictDoUpdate({
      target: estimationUsage.ownerId,
      set: {
        estimations: sql`${count} + ${more.estimations}`,
        treeSteps: sql`${treeSteps} + ${more.treeSteps}`,
        versionBytes: sql`${versionBytes} + ${more.versionBytes ?? 0}`,
      },
    })
    .returning({ estimations: count, treeSteps, versionBytes, textSteps });
  return usage ?? { estimations: 0, treeSteps: 0, versionBytes: 0, textSteps: 0 };
}
