import { createHash } from "node:crypto";
import { limits } from "../../../contract/limits.ts";
import type { Tree } from "../../../contract/tree.ts";
import type { VersionCause } from "../../../contract/versions.ts";
import { summaryHours } from "../../../domain/tree/roll-up.ts";
import { hashedText, SNAPSHOT_SCHEMA } from "../../../domain/versions/canonical.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import { Failure, fail } from "../../http/failure.ts";
import { refuseBeyond } from "../../http/quota.ts";
import type { Services } from "../../services.ts";
import {
  accountVersions,
  type ContentCall,
  type EstimationRow,
  loadTimeline,
  type TimelineContent,
} from "../estimations/index.ts";
import { findHead, insertSnapshot, insertVersion } from "./store.ts";

/** What a version says besides its content. */
export interface Pin {
  readonly cause: VersionCause;
  readonly authorId: string;
  readonly label?: string | null | undefined;
  /** The latest version as the author knows it. */
  readonly expectedHeadVersionId?: string | undefined;
  /** The timeline to keep, where it is not the stored one. */
  readonly timeline?: TimelineContent;
}

/** The version that has the content, and whether it was made now. */
interface Pinned {
  readonly id: string;
  readonly isNew: boolean;
}

/**
 * Makes a version of a locked estimation whose tree is `tree`, or returns the latest one if it has the same content.
 * Refuses (409) another latest version than expected, the number of versions that an estimation may have, and the bytes
 * that the versions of its owner may take together; only submitting may use the last of both.
 */
export async function pinVersion(
  { config, ids }: Pick<Services, "config" | "ids">,
  { db, estimation, now }: ContentCall,
  tree: Tree,
  { cause, authorId, label = null, expectedHeadVersionId, timeline }: Pin,
): Promise<Pinned> {
  const head = await findHead(db, estimation.id);
  if (expectedHeadVersionId !== undefined && expectedHeadVersionId !== head?.id) {
    fail("head_moved", { details: { headVersionId: head?.id ?? null } });
  }
  const snapshot = snapshotOf(estimation, tree, timeline ?? (await loadTimeline(db, estimation.id)));
  const contentHash = contentHashOf(snapshot);
  if (head && Buffer.from(head.contentHash).equals(contentHash)) return { id: head.id, isNew: false };

  const number = (head?.number ?? 0) + 1;
  const most = mostFor(cause, config.quotas.versionBytes);
  refuseBeyond("versions", most.versions, number);
  const text = JSON.stringify(snapshot);
  const bytes = Buffer.byteLength(text);
  const isStored = await insertSnapshot(db, {
    estimationId: estimation.id,
    contentHash,
    schema: SNAPSHOT_SCHEMA,
    text,
    bytes,
  });
  if (isStored) await accountVersions(db, estimation.ownerId, { bytes, quotaBytes: most.bytes });
  const id = ids.next("version");
  await insertVersion(db, {
    id,
    estimationId: estimation.id,
    number,
    label,
    authorId,
    cause,
    parents: head ? [head.id] : [],
    contentHash,
    hours: summaryHours(tree, estimation),
    createdAt: now,
  });
  return { id, isNew: true };
}

/** Returns how many versions an estimation, and how many bytes of them its owner, may have after one with this cause. */
function mostFor(cause: VersionCause, quotaBytes: number) {
  if (cause === "submit") return { versions: limits.versions, bytes: quotaBytes };
  return {
    versions: limits.versions - limits.versionsForSubmitting,
    bytes: Math.floor(quotaBytes * (1 - limits.versionPercentForSubmitting / 100)),
  };
}

/** The same where there is room for a version; where there is none, nothing is stored. */
export async function pinIfRoom(
  services: Pick<Services, "config" | "ids">,
  call: ContentCall,
  ...[tree, pin]: [Tree, Pin]
): Promise<void> {
  try {
    // A savepoint: what was stored before the refusal is undone.
    await call.db.transaction((db) => pinVersion(services, { ...call, db }, tree, pin));
  } catch (error) {
    if (!(error instanceof Failure && error.key === "limit_reached")) throw error;
  }
}

const contentHashOf = (snapshot: Snapshot): Buffer => createHash("sha256").update(hashedText(snapshot)).digest();

/** Returns the content of an estimation. */
export const snapshotOf = (row: EstimationRow, tree: Tree, { timeline, milestones }: TimelineContent): Snapshot => ({
  title: row.title,
  description: row.description,
  clientName: row.clientName,
  hourlyRate: row.hourlyRate,
  currency: row.currency,
  correlation: row.correlation,
  rounding: row.rounding,
  timeline,
  tree: { nodes: tree.nodes },
  milestones: [...milestones],
});
