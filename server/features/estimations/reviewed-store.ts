import { createHash } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import type { EstimationFields, ReviewState } from "../../../contract/endpoints/estimations.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { lockedFields } from "../../../domain/states.ts";
import type { Queryable } from "../../db/database.ts";
import type { LockedEstimation } from "./look-up-store.ts";
import type { EstimationRow } from "./store.ts";
import { estimations, reviewedContents } from "./tables.ts";

// Whether reviews are stale is a comparison of two hashes, updated with every change: an edit of an estimation under review
// hashes what it stores, and reading any number of reviews or estimations hashes nothing (docs/decisions/stale-reviews.md).

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Returns the hash of a tree, given as its JSON: equal trees have equal text. */
const treeHashOf = sha256;

/** Returns the hash of all content that is locked outside the state `draft`. */
function contentHashOf(row: EstimationRow, treeHash: Uint8Array): Buffer {
  const { title, description, assumptions, clientName, hourlyRate, currency, correlation, rounding } = row;
  const settings = [title, description, clientName, hourlyRate, currency, correlation, rounding];
  // Hashes from before there were assumptions are those of contents without any.
  if (assumptions !== "") settings.push(assumptions);
  return sha256(JSON.stringify([...settings, Buffer.from(treeHash).toString("hex")]));
}

const isOf = (estimationId: string) => eq(reviewedContents.estimationId, estimationId);

const isStale: SQL<boolean> = sql<boolean>`${reviewedContents.contentHash} is distinct from ${reviewedContents.reviewedHash}`;

/**
 * Follows a change of a locked estimation's content that is about to be stored: new `settings`, and with `text` the new
 * tree as JSON. Returns the new `reviewStale` where it changes.
 */
export async function noteStaleness(
  tx: Queryable,
  estimation: EstimationRow,
  settings: Partial<EstimationFields>,
  text: string | null,
): Promise<Partial<Pick<EstimationRow, "reviewStale">>> {
  const isSame = text === null && lockedFields(settings).length === 0;
  if (estimation.reviewState === "none" || isSame) return {};
  const treeHash = text === null ? await findTreeHash(tx, estimation.id) : treeHashOf(text);
  const contentHash = contentHashOf({ ...estimation, ...settings }, treeHash);
  const [updated] = await tx
    .update(reviewedContents)
    .set({ treeHash, contentHash })
    .where(isOf(estimation.id))
    .returning({ isStale });
  const reviewStale = updated?.isStale ?? false;
  return reviewStale === estimation.reviewStale ? {} : { reviewStale };
}

async function findTreeHash(tx: Queryable, estimationId: string): Promise<Uint8Array> {
  const [row] = await tx
    .select({ treeHash: reviewedContents.treeHash })
    .from(reviewedContents)
    .where(isOf(estimationId));
  if (!row) throw new Error(`${estimationId} has reviews, but no hash of the content that they are about`);
  return row.treeHash;
}

/** For the first review: begins to keep the hash of the content of a locked estimation, and returns it. */
export async function noteContent(tx: Queryable, estimation: LockedEstimation, tree: Tree): Promise<Buffer> {
  const treeHash = treeHashOf(JSON.stringify(tree));
  const contentHash = contentHashOf(estimation, treeHash);
  const content = { treeHash, contentHash };
  await tx
    .insert(reviewedContents)
    .values({ estimationId: estimation.id, ...content })
    .onConflictDoUpdate({ target: reviewedContents.estimationId, set: content });
  return contentHash;
}

/**
 * Stores what follows from the reviews of a locked estimation that are not withdrawn: their common state, and the hash
 * of the content that they are about, or null if they differ. It makes no new revision, because the content does not
 * change.
 */
export async function setReviewState(
  tx: Queryable,
  estimationId: string,
  { reviewState, reviewedHash }: { readonly reviewState: ReviewState; readonly reviewedHash: Uint8Array | null },
): Promise<void> {
  let reviewStale = false;
  if (reviewState === "none") await tx.delete(reviewedContents).where(isOf(estimationId));
  else {
    const set = tx.update(reviewedContents).set({ reviewedHash });
    const [updated] = await set.where(isOf(estimationId)).returning({ isStale });
    reviewStale = updated?.isStale ?? false;
  }
  await tx.update(estimations).set({ reviewState, reviewStale }).where(eq(estimations.id, estimationId));
}
