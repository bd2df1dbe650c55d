import { createHash } from "node:crypto";
import type { VersionCause } from "../../../contract/endpoints/versions.ts";
import { limits } from "../../../contract/limits.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { totalFigures } from "../../../domain/tree/hours/roll-up.ts";
import { formerHashedText, hashedText, SNAPSHOT_SCHEMA } from "../../../domain/versions/canonical.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import { Failure, fail } from "../../http/failure.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import {
  accountTexts,
  accountVersions,
  bytesOfTexts,
  type ContentCall,
  type EstimationRow,
  loadTimeline,
  partOf,
  type TimelineContent,
} from "../estimations/index.ts";
import { findHead, insertSnapshot, insertVersion } from "./store.ts";
import { findCurrentThread, mainIdOf, saveThread, type ThreadRow } from "./thread-store.ts";

/** The fields of a version besides its content. */
export interface Pin {
  readonly cause: VersionCause;
  readonly authorId: string;
  readonly label?: string | null | undefined;
  /** The latest version of the current thread as the author knows it. */
  readonly expectedHeadVersionId?: string | undefined;
  /** The timeline to keep, if it is not the stored one. */
  readonly timeline?: TimelineContent;
}

/** The version that has the content, and whether it was made now. */
export interface Pinned {
  readonly id: string;
  readonly isNew: boolean;
}

type Made = Pick<Services, "quotas" | "ids">;

/**
 * Makes a version of a locked estimation whose tree is `tree`, in its current thread, or returns the latest one there if it
 * has the same content. Refuses (409) another latest version than expected, and what `addVersion` refuses.
 */
export async function pinVersion(
  services: Made,
  call: ContentCall,
  tree: Tree,
  { expectedHeadVersionId, timeline, ...pin }: Pin,
): Promise<Pinned> {
  const thread = await findCurrentThread(call.db, call.estimation);
  if (expectedHeadVersionId !== undefined && expectedHeadVersionId !== thread.headVersionId) {
    fail("head_moved", { details: { headVersionId: thread.headVersionId } });
  }
  const snapshot = snapshotOf(call.estimation, tree, timeline ?? (await loadTimeline(call.db, call.estimation.id)));
  return addVersion(services, call, { ...pin, thread, snapshot });
}

/** A version of any thread. */
interface NewVersion extends Omit<Pin, "expectedHeadVersionId"> {
  readonly thread: ThreadRow;
  readonly snapshot: Snapshot;
  /** For a merge, the other parent: a version is made even if the content did not change. */
  readonly merged?: string;
}

/**
 * Makes a version of a locked estimation the head of one of its threads, or returns the head if it has this content. Refuses
 * (409) the number of versions that an estimation may have, the bytes that the versions of its owner may take together, and a label beyond the quota of texts;
 * only submitting may use the last of the first two.
 */
export async function addVersion(
  { quotas, ids }: Made,
  { db, estimation, now }: ContentCall,
  { thread, snapshot, merged, cause, authorId, label = null }: NewVersion,
): Promise<Pinned> {
  const { head, lastNumber } = await findHead(db, thread);
  const size = aboutBytes(snapshot.tree.nodes);
  const contentHash = await inTurn(size, () => sha256(hashedText(snapshot)));
  const isOfOldSchema = head !== undefined && head.schema < SNAPSHOT_SCHEMA;
  const hashAsHead = isOfOldSchema ? await inTurn(size, () => formerHashOf(snapshot)) : contentHash;
  const isSame = head !== undefined && (hashAsHead?.equals(head.contentHash) ?? false);
  if (isSame && merged === undefined) return { id: head.id, isNew: false };

  const number = lastNumber + 1;
  const part = cause === "submit" ? (limit: number) => limit : withoutReserve;
  await quotas.reserve(db, { quota: "versions", part, used: () => number });
  const text = await inTurn(size, () => JSON.stringify(snapshot));
  const bytes = Buffer.byteLength(text);
  const isStored = await insertSnapshot(db, {
    estimationId: estimation.id,
    contentHash,
    schema: SNAPSHOT_SCHEMA,
    text,
    bytes,
  });
  if (isStored) {
    const bytesOf = partOf(estimation);
    await accountVersions(db, quotas, estimation.ownerId, { bytes, part: (limit) => part(bytesOf(limit)) });
  }
  const id = ids.next("version");
  await insertVersion(db, {
    id,
    estimationId: estimation.id,
    number,
    threadId: thread.id === mainIdOf(estimation.id) ? null : thread.id,
    label,
    authorId,
    cause,
    parents: [head?.id, merged].filter((parent) => parent !== undefined),
    contentHash,
    hours: totalFigures(snapshot.tree, snapshot),
    createdAt: now,
  });
  await accountTexts(db, quotas, estimation, bytesOfTexts(label));
  await saveThread(db, { ...thread, headVersionId: id });
  return { id, isNew: true };
}

/** What versions for other causes than submitting may take of the versions of an estimation, and of their bytes. */
const withoutReserve = (most: number): number => Math.floor(most * (1 - limits.percentForSubmitting / 100));

/** The same if there is room for a version; otherwise nothing is stored. */
export async function pinIfRoom(services: Made, call: ContentCall, ...[tree, pin]: [Tree, Pin]): Promise<void> {
  try {
    // A savepoint: what was stored before the refusal is undone.
    await call.db.transaction((db) => pinVersion(services, { ...call, db }, tree, pin));
  } catch (error) {
    if (!(error instanceof Failure && error.key === "limit_reached")) throw error;
  }
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

function formerHashOf(snapshot: Snapshot): Buffer | null {
  const text = formerHashedText(snapshot);
  return text === null ? null : sha256(text);
}

/** Returns the content of an estimation. */
export const snapshotOf = (row: EstimationRow, tree: Tree, { timeline, milestones }: TimelineContent): Snapshot => ({
  title: row.title,
  description: row.description,
  assumptions: row.assumptions,
  clientName: row.clientName,
  hourlyRate: row.hourlyRate,
  currency: row.currency,
  correlation: row.correlation,
  rounding: row.rounding,
  timeline,
  tree: { nodes: tree.nodes },
  milestones: [...milestones],
});
