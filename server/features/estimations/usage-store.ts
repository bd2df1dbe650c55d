import { and, eq, inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import type { Quotas, Reservation } from "../../http/quotas.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { decisionTrees, estimationListings, estimations, estimationUsage, textUsage, timelines } from "./tables.ts";

/**
 * The bytes of trees and of texts are counted in steps of this size, so that few edits change the owner's row, which stays
 * locked until the edit is committed.
 */
export const STEP_BYTES = 64 * 1024;

/** What users other than the owner may fill of a quota: half of it, because the owner is not asked before. */
export const halfOf = (limit: number): number => Math.ceil(limit / 2);

/**
 * Returns how much of a quota of an estimation's owner a user with that access may fill. Otherwise others could stop the
 * owner's own work, for instance with an estimation that was transferred for that purpose.
 */
export const partOf = ({ access }: Pick<ReadableEstimation, "access">): ((limit: number) => number) =>
  access === "owner" ? (limit) => limit : halfOf;

/** Adds one to the number of the owner's estimations and returns it. Refuses (409) more than the quota. */
export async function addEstimation(tx: Queryable, quotas: Quotas, ownerId: string): Promise<number> {
  const usage = await addUsage(tx, { ownerId, estimations: 1 });
  await quotas.reserve(tx, { quota: "estimations", used: () => usage.estimations });
  return usage.estimations;
}

/**
 * Counts a new estimation. Refuses (409) more than the quota, and more than twice the quota including the deleted ones that
 * can be restored, because these take space too.
 */
export async function addNewEstimation(tx: Queryable, quotas: Quotas, ownerId: string): Promise<void> {
  const count = await addEstimation(tx, quotas, ownerId);
  const used = async () => count + (await countDeleted(tx, ownerId));
  await quotas.reserve(tx, { quota: "estimations", part: (limit) => 2 * limit, used });
}

function countDeleted(tx: Queryable, ownerId: string): Promise<number> {
  const { holderId, tag, status, level } = estimationListings;
  const isDeletedOfOwner = and(eq(holderId, ownerId), eq(tag, ""), eq(status, "deleted"), eq(level, "owner"));
  return tx.$count(estimationListings, isDeletedOfOwner);
}

/** Subtracts one estimation. Its tree still counts until it is removed permanently. */
export async function removeEstimation(tx: Queryable, ownerId: string): Promise<void> {
  await addUsage(tx, { ownerId, estimations: -1 });
}

/**
 * Moves an estimation, with its tree, its versions and its texts, from one owner's usage to another's. Refuses (409) what makes the new owner exceed half of a quota, of which that of estimations is
 * twice as large with the deleted ones: nobody is asked before a transfer, so it must leave room for the new owner's own work.
 */
export async function moveUsage(
  tx: Queryable,
  quotas: Quotas,
  { id, ownerId, versionBytes }: { readonly id: string; readonly ownerId: string; readonly versionBytes: number },
  newOwnerId: string,
): Promise<void> {
  const [tree] = await tx
    .select({ bytes: decisionTrees.bytes })
    .from(decisionTrees)
    .where(eq(decisionTrees.estimationId, id));
  const [timeline] = await tx.select({ bytes: timelines.bytes }).from(timelines).where(eq(timelines.estimationId, id));
  const treeSteps = stepsOf(tree?.bytes ?? 0) + timelineStepsOf(timeline?.bytes ?? 0);
  const [texts] = await tx.select({ bytes: textUsage.bytes }).from(textUsage).where(eq(textUsage.estimationId, id));
  const textSteps = textStepsOf(texts?.bytes ?? 0);
  const changes = [
    { ownerId, estimations: -1, treeSteps: -treeSteps, versionBytes: -versionBytes, textSteps: -textSteps },
    { ownerId: newOwnerId, estimations: 1, treeSteps, versionBytes, textSteps },
  ];
  const reserveInHalf = (quota: Reservation["quota"], used: number) =>
    quotas.reserve(tx, { quota, part: halfOf, used: () => used });
  // Locks the rows in the order of their ids, to avoid deadlocks between two transfers.
  for (const change of changes.sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1))) {
    const usage = await addUsage(tx, change);
    if (change.ownerId === ownerId) continue;
    await reserveInHalf("estimations", usage.estimations);
    const withDeleted = async () => usage.estimations + (await countDeleted(tx, newOwnerId));
    await quotas.reserve(tx, { quota: "estimations", used: withDeleted });
    if (treeSteps > 0) await reserveInHalf("treeBytes", usage.treeSteps * STEP_BYTES);
    if (versionBytes > 0) await reserveInHalf("versionBytes", usage.versionBytes);
    if (textSteps > 0) await reserveInHalf("textBytes", usage.textSteps * STEP_BYTES);
  }
}

/**
 * Counts steps that a tree or a timeline takes more, or less where negative. Refuses (409) growth of the owner's trees and
 * timelines beyond what the caller may make them take; without `quotas` nothing is refused.
 */
export async function accountTree(
  tx: Queryable,
  quotas: Quotas | undefined,
  { ownerId, access }: Pick<ReadableEstimation, "ownerId" | "access">,
  treeSteps: number,
): Promise<void> {
  if (treeSteps === 0) return;
  const usage = await addUsage(tx, { ownerId, treeSteps });
  if (treeSteps < 0) return;
  const used = () => usage.treeSteps * STEP_BYTES;
  await quotas?.reserve(tx, { quota: "treeBytes", part: partOf({ access }), used });
}

/**
 * Counts texts that were added to a locked estimation, or removed from it, where `moreBytes` is negative. The bytes are those
 * of the estimation, and in whole steps those of its owner. Refuses (409) growth beyond what the caller may make the owner's
 * texts take; a write that adds no bytes is never refused.
 */
export async function accountTexts(
  tx: Queryable,
  quotas: Quotas,
  { id, ownerId, access }: Pick<ReadableEstimation, "id" | "ownerId" | "access">,
  moreBytes: number,
): Promise<void> {
  if (moreBytes === 0) return;
  const [row] = await tx
    .insert(textUsage)
    .values({ estimationId: id, bytes: moreBytes })
    .onConflictDoUpdate({ target: textUsage.estimationId, set: { bytes: sql`${textUsage.bytes} + ${moreBytes}` } })
    .returning({ bytes: textUsage.bytes });
  const bytes = row?.bytes ?? 0;
  const textSteps = textStepsOf(bytes) - textStepsOf(bytes - moreBytes);
  const usage = textSteps === 0 ? await findUsage(tx, ownerId) : await addUsage(tx, { ownerId, textSteps });
  if (moreBytes < 0) return;
  await quotas.reserve(tx, { quota: "textBytes", part: partOf({ access }), used: () => usage.textSteps * STEP_BYTES });
}

async function findUsage(tx: Queryable, ownerId: string): Promise<{ readonly textSteps: number }> {
  const { textSteps } = estimationUsage;
  const [usage] = await tx.select({ textSteps }).from(estimationUsage).where(eq(estimationUsage.ownerId, ownerId));
  return usage ?? { textSteps: 0 };
}

/** Returns the bytes of texts as they are stored. */
export const bytesOfTexts = (...texts: readonly (string | null | undefined)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);

/**
 * Takes the trees, timelines and texts of estimations that are removed for good off what their owners have. Locks the owners'
 * rows in the order of their ids, as a transfer does, to avoid deadlocks.
 */
export async function freeUsage(tx: Queryable, estimationIds: readonly string[]): Promise<void> {
  const owners = tx
    .select({ id: estimations.ownerId })
    .from(estimations)
    .where(inArray(estimations.id, [...estimationIds]));
  await tx
    .select({ id: estimationUsage.ownerId })
    .from(estimationUsage)
    .where(inArray(estimationUsage.ownerId, owners))
    .orderBy(estimationUsage.ownerId)
    .for("update");
  await tx.execute(sql`
    update ${estimationUsage} u set tree_steps = u.tree_steps - f.tree_steps, text_steps = u.text_steps - f.text_steps
    from (
      select e.owner_id, sum(ceil(coalesce(d.bytes, 0) / ${STEP}) + floor(coalesce(t.bytes, 0) / ${STEP})) as tree_steps,
        sum(floor(coalesce(x.bytes, 0) / ${STEP})) as text_steps
      from ${estimations} e left join ${decisionTrees} d on d.estimation_id = e.id
        left join ${timelines} t on t.estimation_id = e.id left join ${textUsage} x on x.estimation_id = e.id
      where e.id = any(${sql.param([...estimationIds])}::text[]) group by e.owner_id) f
    where f.owner_id = u.owner_id`);
}

/** Adds `bytes` to what the owner's versions take. Refuses (409) more than that part of the quota. */
export async function accountVersions(
  tx: Queryable,
  quotas: Quotas,
  ownerId: string,
  { bytes, part }: { readonly bytes: number } & Required<Pick<Reservation, "part">>,
): Promise<void> {
  const usage = await addUsage(tx, { ownerId, versionBytes: bytes });
  await quotas.reserve(tx, { quota: "versionBytes", part, used: () => usage.versionBytes });
}

/** Subtracts versions that are removed for good, with their estimations, from what the owners have. */
export async function subtractVersions(tx: Queryable, removed: SQLWrapper): Promise<void> {
  await tx.execute(sql`
    update ${estimationUsage} u set version_bytes = u.version_bytes - f.bytes
    from (
      select e.owner_id, sum(r.bytes) as bytes from (${removed}) r join ${estimations} e on e.id = r.estimation_id
      group by e.owner_id) f
    where f.owner_id = u.owner_id`);
}

/** Steps of a tree; a timeline and texts that are small are free. */
export const stepsOf = (bytes: number): number => Math.ceil(bytes / STEP_BYTES);
export const timelineStepsOf = (bytes: number): number => Math.floor(bytes / STEP_BYTES);
const textStepsOf = (bytes: number): number => Math.floor(bytes / STEP_BYTES);

/** A step as a number with fractions in SQL. */
const STEP = sql.raw(`${STEP_BYTES}::numeric`);

async function addUsage(tx: Queryable, more: Partial<typeof estimationUsage.$inferInsert> & { ownerId: string }) {
  const { estimations: count, treeSteps, versionBytes, textSteps } = estimationUsage;
  const [usage] = await tx
    .insert(estimationUsage)
    .values({ estimations: 0, treeSteps: 0, ...more })
    .onConflictDoUpdate({
      target: estimationUsage.ownerId,
      set: {
        estimations: sql`${count} + ${more.estimations ?? 0}`,
        treeSteps: sql`${treeSteps} + ${more.treeSteps ?? 0}`,
        versionBytes: sql`${versionBytes} + ${more.versionBytes ?? 0}`,
        textSteps: sql`${textSteps} + ${more.textSteps ?? 0}`,
      },
    })
    .returning({ estimations: count, treeSteps, versionBytes, textSteps });
  return usage ?? { estimations: 0, treeSteps: 0, versionBytes: 0, textSteps: 0 };
}
