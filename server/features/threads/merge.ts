import type { MergeConflict } from "../../../contract/values/merge-conflicts.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { commonAncestors } from "../../../domain/merge/ancestors.ts";
import type { Resolution, Side } from "../../../domain/merge/shape.ts";
import { isLocked } from "../../../domain/states.ts";
import type { MergedContents } from "../../../domain/versions/contents.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import {
  type ContentCall,
  type LockedEstimation,
  loadTimeline,
  loadTreeText,
  readTree,
  type TimelineContent,
} from "../estimations/index.ts";
import {
  addVersion,
  findCurrentThread,
  findHistory,
  mainIdOf,
  pinVersion,
  replaceContent,
  saveThread,
  snapshotOf,
  type ThreadRow,
  textOf,
  versionText,
} from "../versions/index.ts";
import { demandOpen } from "./switch.ts";

/** What is to be merged. */
interface Wish {
  readonly from: ThreadRow;
  readonly into: ThreadRow;
  readonly expectedHeads: { readonly from: string; readonly into: string } | undefined;
  readonly resolutions: readonly Resolution[];
  /** Decides every conflict that no resolution names; null leaves those open. */
  readonly otherwise: Side | null;
  readonly dryRun: boolean;
  readonly authorId: string;
}

/** The result of a merge. */
interface Outcome {
  readonly estimation: LockedEstimation;
  /** How the content of `into` changes; not at all where there are conflicts. */
  readonly changes: MergedContents["changes"];
  /** The content of `into` afterwards; null where there are conflicts. */
  readonly after: Snapshot | null;
  /** The tree of the estimation, if one of the two is its current thread. */
  readonly working: Tree | null;
  /** Only in a dry run. */
  readonly conflicts: readonly MergeConflict[];
  /** Only in a dry run. */
  readonly addedTwice: MergedContents["addedTwice"];
  /** Ids of resolutions that decided nothing. */
  readonly unused: readonly string[];
  /** Whether a version was made or the status of the merged thread changed. */
  readonly isNew: boolean;
  /** The version that has the result; null in a dry run. */
  readonly versionId: string | null;
  /** The version with the content of `into` from before; null in a dry run. */
  readonly formerId: string | null;
}

type Used = Pick<Services, "compute" | "quotas" | "ids" | "treeIds">;

/** The most common ancestors that a merge considers, the latest ones: only threads merged into each other again and again have more. */
const BASES = 4;

/**
 * Merges a thread of a locked estimation into another one. First makes a version of content that is in none yet.
 * Refuses (409) a target that is not open, other heads than expected, conflicts that no resolution decides, locked content,
 * and what `addVersion` refuses.
 */
export async function mergeInto(services: Used, call: ContentCall, wish: Wish): Promise<Outcome> {
  const { db, estimation } = call;
  const { dryRun, resolutions, otherwise, authorId } = wish;
  demandOpen(wish.into);
  demandHeads(wish);
  const timeline = await loadTimeline(db, estimation.id);
  const workingText = wish.from.current || wish.into.current ? await loadTreeText(db, estimation.id) : null;
  const working = workingText === null ? null : await readTree(workingText);
  if (wish.from.current && working && !dryRun) {
    await pinVersion(services, call, working, { cause: "merge", authorId });
  }
  const from = wish.from.current ? await findCurrentThread(db, estimation) : wish.from;
  const { into } = wish;
  const contentOf = async (thread: ThreadRow): Promise<string> =>
    thread.current && workingText !== null
      ? textOf(snapshotOf(estimation, { nodes: [] }, timeline), workingText)
      : versionText(db, estimation.id, thread.headVersionId ?? "");
  const ends = { into: await contentOf(into), from: await contentOf(from) };
  const bases: string[] = [];
  const baseIds = await findBases(call, from, into);
  for (const id of baseIds) bases.push(await versionText(db, estimation.id, id));

  const bytes = [...bases, ends.into, ends.from].reduce((sum, { length }) => sum + length, 0);
  const input = { bases, ...ends, resolutions, otherwise, hints: dryRun };
  const none = { versionId: null, formerId: null };
  const { merged: result, changes, addedTwice } = await services.compute.run("mergeContents", input, bytes);
  const heads = { from: wish.from.headVersionId, into: into.headVersionId };
  if (!result.ok && !result.conflicts)
    return failWith(
      result.faults.map(({ index, part, ...fault }) => ({
        path: `/resolutions/${index}/${part}`,
        in: "body",
        ...fault,
      })),
    );
  if (!result.ok) {
    const conflicts = result.conflicts as MergeConflict[];
    if (!dryRun && into.current && isLocked(estimation.status) && conflicts.some(isLockedContent)) {
      fail("estimation_locked", { details: { status: estimation.status } });
    }
    if (!dryRun) fail("merge_conflict", { details: { conflicts, heads } });
    return { estimation, changes, after: null, working, conflicts, addedTwice, unused: [], isNew: false, ...none };
  }
  const { snapshot, unused } = result;
  const shown = { changes, after: snapshot, working, conflicts: [], addedTwice, unused };
  if (dryRun) return { ...shown, estimation, isNew: false, ...none };

  // Then the head of `from` is an ancestor of the head of `into`, and also of the version that is made after that one.
  const isKnown = baseIds.includes(from.headVersionId ?? "");
  const stored = await store(services, call, { from, into, isKnown, snapshot, working, timeline, authorId });
  const isDone = from.status === "open" && !from.current && from.id !== mainIdOf(estimation.id);
  if (isDone) await saveThread(db, { ...from, status: "merged" });
  return { ...shown, ...stored, isNew: stored.isNew || isDone };
}

function demandHeads({ from, into, expectedHeads }: Wish): void {
  if (!expectedHeads) return;
  for (const [thread, expected] of [
    [from, expectedHeads.from],
    [into, expectedHeads.into],
  ] as const) {
    const { id, headVersionId } = thread;
    if (headVersionId !== expected) fail("head_moved", { details: { headVersionId, threadId: id } });
  }
}

async function findBases({ db, estimation }: ContentCall, from: ThreadRow, into: ThreadRow): Promise<string[]> {
  const history = await findHistory(db, estimation.id);
  return commonAncestors(history, from.headVersionId ?? "", into.headVersionId ?? "").slice(0, BASES);
}

/** Whether a conflict is about content that can only be changed in a draft: everything except milestones and the timeline. */
const isLockedContent = ({ target, field }: MergeConflict): boolean =>
  target !== "milestone" && !(target === "setting" && field?.split(".")[0] === "timeline");

interface Storing extends Pick<Wish, "from" | "into" | "authorId"> {
  /** Whether the head of `into` follows the head of `from` already. */
  readonly isKnown: boolean;
  readonly snapshot: Snapshot;
  readonly working: Tree | null;
  /** Of the current thread before. */
  readonly timeline: TimelineContent;
}

/** Stores the result as the head of `into`, and as the content of the estimation if that is the current thread. */
async function store(
  services: Used,
  call: ContentCall,
  { from, into, isKnown, snapshot, working, timeline, authorId }: Storing,
): Promise<Pick<Outcome, "estimation" | "versionId" | "formerId" | "isNew">> {
  const { db, estimation } = call;
  const cause = "merge";
  let [changed, thread, merged] = [estimation, into, snapshot];
  if (into.current && working) {
    const after = await replaceContent(services, call, snapshot);
    await pinVersion(services, call, working, { cause, authorId, timeline });
    [changed, thread, merged] = [
      after.estimation,
      await findCurrentThread(db, estimation),
      snapshotOf(after.estimation, after.tree, await loadTimeline(db, estimation.id)),
    ];
  }
  const followed = isKnown ? {} : { merged: from.headVersionId ?? undefined };
  const { id, isNew } = await addVersion(
    services,
    { ...call, estimation: changed },
    { thread, snapshot: merged, cause, authorId, ...followed },
  );
  return { estimation: changed, versionId: id, formerId: thread.headVersionId, isNew };
}
