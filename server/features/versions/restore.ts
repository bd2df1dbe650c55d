import type { Tree } from "../../../contract/values/tree.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import type { Services } from "../../services/index.ts";
import {
  type ContentCall,
  changeContent,
  type LockedEstimation,
  loadTimeline,
  loadTree,
  type TimelineContent,
} from "../estimations/index.ts";
import { pinVersion } from "./pin.ts";

interface Restored {
  readonly estimation: LockedEstimation;
  /** The version that has the content. */
  readonly id: string;
  /** The version that has the content from before. */
  readonly keptId: string;
  /** Whether a version was made. */
  readonly isNew: boolean;
}

type Used = Pick<Services, "quotas" | "ids" | "treeIds">;

/**
 * Makes the content of a version the content of its locked estimation, as a new version. Content that is in no version
 * yet becomes one before, so that nothing is lost. Refuses what `changeContent` and `pinVersion` refuse.
 */
export async function restore(
  services: Used,
  call: ContentCall,
  snapshot: Snapshot,
  authorId: string,
): Promise<Restored> {
  const pin = { cause: "restore", authorId } as const;
  const before = await loadTree(call.db, call.estimation.id);
  const timelineBefore = await loadTimeline(call.db, call.estimation.id);
  // First, because it refuses locked content: that is the reason to name, also where there is no room for versions.
  const { estimation, tree } = await replaceContent(services, call, snapshot);
  const kept = await pinVersion(services, call, before, { ...pin, timeline: timelineBefore });
  const { id, isNew } = await pinVersion(services, { ...call, estimation }, tree, pin);
  return { estimation, id, keptId: kept.id, isNew: kept.isNew || isNew };
}

/** Makes a snapshot the content of a locked estimation. Refuses what `changeContent` refuses. */
export function replaceContent(
  { quotas, treeIds }: Used,
  call: ContentCall,
  { tree, timeline, milestones, ...fields }: Snapshot,
): Promise<{ estimation: LockedEstimation; tree: Tree }> {
  return changeContent<object>(call, {
    fields,
    timeline: { timeline: timeline as TimelineContent["timeline"], milestones },
    edit: () => ({ ok: true, tree }),
    editBytes: aboutBytes(tree.nodes),
    wasStored: true,
    ids: treeIds(call.estimation.id),
    quotas,
  });
}
