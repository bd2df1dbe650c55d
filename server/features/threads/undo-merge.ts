import { fail, failWith } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import { type ContentCall, type LockedEstimation, loadTimeline, loadTree } from "../estimations/index.ts";
import { countAffected } from "../tasks/index.ts";
import {
  findCurrentThread,
  findMergedThreads,
  findVersion,
  findVersionWithSnapshot,
  pinVersion,
  replaceContent,
  saveThread,
  type ThreadRow,
} from "../versions/index.ts";

interface Wish {
  /** The thread that was merged into. */
  readonly thread: ThreadRow;
  /** The version that the merge made. */
  readonly versionId: string;
  readonly authorId: string;
}

interface Undone {
  readonly estimation: LockedEstimation;
  /** The threads that were `merged` and are open again. */
  readonly reopened: readonly ThreadRow[];
  /** The version made of content that no version had; null if there was none. */
  readonly keptVersionId: string | null;
  /** The versions with the contents of the thread before and afterwards. */
  readonly between: { readonly before: string; readonly after: string };
  /** Null unless the thread is the current one. */
  readonly tasksAffected: number | null;
}

/**
 * Puts the head of a thread of a locked estimation back to the version before a merge. The version of the merge stays, but
 * the thread no longer follows it: what was merged is no ancestor any more, so that it can be merged again. Refuses (400) a
 * version that no merge made, and (409) one that is not the head, locked content, and what `pinVersion` refuses.
 */
export async function undoMerge(
  services: Pick<Services, "quotas" | "ids" | "treeIds">,
  call: ContentCall,
  { thread, versionId, authorId }: Wish,
): Promise<Undone> {
  const { db, estimation } = call;
  const [former, merged] = (await findVersion(db, estimation.id, versionId))?.parents ?? [];
  if (former === undefined || merged === undefined) {
    const message = "must be the id of a version that a merge made";
    return failWith([{ path: "/versionId", in: "body", code: "unknown_reference", message }]);
  }
  const { headVersionId } = thread;
  if (headVersionId !== versionId) fail("head_moved", { details: { headVersionId, threadId: thread.id } });
  const content = thread.current ? await restoreFormer(services, call, former, authorId) : null;
  const now = thread.current ? await findCurrentThread(db, estimation) : thread;
  await saveThread(db, { ...now, headVersionId: former });
  const reopened = await findMergedThreads(db, estimation.id, merged);
  for (const one of reopened) await saveThread(db, { ...one, status: "open" });
  const between = { before: versionId, after: former };
  return { estimation, keptVersionId: null, tasksAffected: null, between, ...content, reopened };
}

/** Makes a version the content of the estimation, after what it says now became one, if it is in none. */
async function restoreFormer(
  services: Pick<Services, "quotas" | "ids" | "treeIds">,
  call: ContentCall,
  former: string,
  authorId: string,
): Promise<Omit<Undone, "reopened">> {
  const { db } = call;
  const before = await loadTree(db, call.estimation.id);
  const timeline = await loadTimeline(db, call.estimation.id);
  const version = (await findVersionWithSnapshot(db, call.estimation.id, former)) ?? fail("not_found");
  // First, because locked content is the reason to name even if there is no room for versions either.
  const { estimation, tree } = await replaceContent(services, call, version.snapshot);
  const kept = await pinVersion(services, call, before, { cause: "restore", authorId, timeline });
  const tasksAffected = await countAffected(db, estimation, tree);
  const between = { before: kept.id, after: former };
  return { estimation, keptVersionId: kept.isNew ? kept.id : null, between, tasksAffected };
}
