import { fail } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import { type ContentCall, type LockedEstimation, loadTimeline, loadTree } from "../estimations/index.ts";
import { countAffected } from "../tasks/index.ts";
import {
  findCurrentThread,
  findVersionWithSnapshot,
  pinVersion,
  replaceContent,
  switchThread,
  type ThreadRow,
} from "../versions/index.ts";

interface Switched {
  readonly estimation: LockedEstimation;
  /** The version made of the content of the thread that is left; null if it was in one already. */
  readonly keptVersionId: string | null;
  /** The versions with the contents of the thread that is left and of the other one; null: nothing was switched. */
  readonly between: { readonly before: string; readonly after: string } | null;
  readonly tasksAffected: number;
}

/**
 * Makes the head of a thread the content of its locked estimation. Content that is in no version yet becomes one of the
 * thread that is left, so that nothing is lost. Refuses (409) a thread that is not open, locked content, and what
 * `pinVersion` refuses.
 */
export async function switchTo(
  services: Pick<Services, "quotas" | "ids" | "treeIds">,
  call: ContentCall,
  thread: ThreadRow,
  authorId: string,
): Promise<Switched> {
  const { db, estimation } = call;
  const before = await loadTree(db, estimation.id);
  const timeline = await loadTimeline(db, estimation.id);
  const left = await findCurrentThread(db, estimation);
  if (left.id === thread.id) {
    const tasksAffected = await countAffected(db, estimation, before);
    return { estimation, keptVersionId: null, between: null, tasksAffected };
  }
  demandOpen(thread);
  const head = (await findVersionWithSnapshot(db, estimation.id, thread.headVersionId ?? "")) ?? fail("not_found");
  // First, because locked content is the reason to name even if there is no room for versions either.
  const after = await replaceContent(services, call, head.snapshot);
  const kept = await pinVersion(services, call, before, { cause: "switch", authorId, timeline });
  await switchThread(db, await findCurrentThread(db, estimation), thread);
  return {
    estimation: after.estimation,
    keptVersionId: kept.isNew ? kept.id : null,
    between: { before: kept.id, after: head.id },
    tasksAffected: await countAffected(db, after.estimation, after.tree),
  };
}

/** Refuses (409) a thread that is closed or merged. */
export function demandOpen({ status }: ThreadRow): void {
  if (status !== "open") fail("thread_not_open", { details: { status } });
}
