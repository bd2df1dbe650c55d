import { eq } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { refuseBeyond } from "../../http/quota.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { quotaFor } from "./quota-for.ts";
import { estimationUsage, textUsage } from "./tables.ts";

/**
 * The bytes of trees and of texts are counted in steps of this size, so that few edits change the owner's row, which stays
 * locked until the edit is committed.
 */
export const STEP_BYTES = 64 * 1024;

/** Returns how many bytes the texts of an estimation take that count against its owner's quota. */
export async function measureTexts(db: Queryable, estimationId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: textUsage.bytes })
    .from(textUsage)
    .where(eq(textUsage.estimationId, estimationId));
  return row?.bytes ?? 0;
}

/** Returns the bytes of texts as they are stored. */
export const bytesOfTexts = (...texts: readonly (string | null | undefined)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);

/**
 * Refuses (409) texts beyond what the caller may make those of the estimation's owner take, after they were stored: triggers
 * have counted them. Writes that add no bytes are never refused.
 */
export async function refuseMoreTexts(
  tx: Queryable,
  estimation: Pick<ReadableEstimation, "access" | "ownerId">,
  { moreBytes, quotaBytes }: { readonly moreBytes: number; readonly quotaBytes: number },
): Promise<void> {
  if (moreBytes <= 0) return;
  const { textSteps } = estimationUsage;
  const [usage] = await tx
    .select({ textSteps })
    .from(estimationUsage)
    .where(eq(estimationUsage.ownerId, estimation.ownerId));
  refuseBeyond("textBytes", quotaFor(estimation, quotaBytes), (usage?.textSteps ?? 0) * STEP_BYTES);
}
