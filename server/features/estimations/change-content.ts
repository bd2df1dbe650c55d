import { isDeepStrictEqual } from "node:util";
import type { EstimationFields } from "../../../contract/endpoints/estimations.ts";
import { limits } from "../../../contract/limits.ts";
import type { EstimationStatus } from "../../../contract/values/statuses.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { isLocked, lockedFields } from "../../../domain/states.ts";
import { breaches, faultAt } from "../../../domain/tree/check/faults.ts";
import { computeChange, type EditTree } from "../../../domain/tree/edit/compute-change.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Quotas } from "../../http/quotas.ts";
import { inTurns } from "../../platform/compute.ts";
import type { OwnedIds } from "../../platform/owned-ids.ts";
import { checkRate } from "./check-rate.ts";
import type { LockedEstimation } from "./look-up-store.ts";
import { noteChange } from "./reader-store.ts";
import { type GivenId, knownIds, rememberRemoved } from "./removed-id-store.ts";
import { noteStaleness } from "./reviewed-store.ts";
import { updateEstimation } from "./store.ts";
import { saveTimeline, type TimelineContent } from "./timeline-store.ts";
import { hoursColumns, loadMeasuredTree, saveTree } from "./tree-store.ts";
import { accountTree, stepsOf } from "./usage-store.ts";

/** What a change of the state needs of a call. */
export interface StateCall {
  readonly estimation: LockedEstimation;
  readonly db: Queryable;
  readonly now: Date;
}

/** What a change of content needs of a call. It was locked for a right, so that was checked, and so was `If-Match`. */
export interface ContentCall extends StateCall {
  /** Who changes it. */
  readonly actor: { readonly userId: string };
}

/** New values of settings; unchanged ones count as no change. */
interface SettingsChange {
  readonly fields: Partial<EstimationFields>;
}

/** New settings of the timeline, and new milestones. They can be changed in any state. */
interface TimelineChange {
  readonly timeline: TimelineContent;
  /** Bounds what the trees and timelines of the owner take together; without it nothing is refused. */
  readonly quotas?: Quotas;
}

/** A new tree, and settings that change with it. */
interface TreeChange<Part extends object> extends Partial<SettingsChange>, Partial<Pick<TimelineChange, "timeline">> {
  readonly edit: EditTree<Part>;
  readonly ids: OwnedIds;
  /** Bounds what all the owner's trees take together; set only for edits that can add to them, which this can refuse. */
  readonly quotas?: Quotas;
  /** The fields and the tree come from the database: they were valid when stored, even if newer rules would refuse them. */
  readonly wasStored?: boolean;
  /** About how many bytes the edit takes from elsewhere than the tree. */
  readonly editBytes?: number;
  /** Ids in the request: the edit learns which of them are or were in the tree. */
  readonly givenIds?: readonly GivenId[];
}

/**
 * The only way to change the content of an estimation: its settings, its tree and its timeline. A change of any of them makes
 * one new revision and computes the hours and whether reviews are stale again; a change to the same values makes none. Refuses what the edit refuses (404 where the thing to
 * edit is not in the tree, 400 with its faults), a rate without a currency (400), any change of locked content outside the
 * state `draft` (409), growth beyond the owner's quota (409), and a tree that takes more than `limits.treeBytes` (400):
 * every stored tree can be read, edited and sent back.
 */
export async function changeContent(
  call: ContentCall,
  change: SettingsChange | TimelineChange,
): Promise<{ estimation: LockedEstimation }>;
export async function changeContent<Part extends object>(
  call: ContentCall,
  change: TreeChange<Part>,
): Promise<{ estimation: LockedEstimation; tree: Tree; treeBytes: number } & Part>;
export async function changeContent(
  { estimation, db, now, actor }: ContentCall,
  {
    fields = {},
    timeline,
    edit,
    ids,
    givenIds = [],
    wasStored = false,
    editBytes = 0,
    quotas,
  }: Partial<TreeChange<object>>,
): Promise<{ estimation: LockedEstimation; treeBytes?: number }> {
  const settings = changedFields(estimation, fields);
  // An older record may have a rate without a currency; its other fields can still be changed.
  if (!wasStored && ("hourlyRate" in settings || "currency" in settings)) checkRate({ ...estimation, ...settings });
  const isTimelineNew = timeline ? await saveTimeline(db, quotas, estimation, timeline) : false;
  const store = async (changes: Parameters<typeof updateEstimation>[2], text: string | null = null) => {
    if (Object.keys(changes).length === 0 && !isTimelineNew) return estimation;
    await noteChange(db, estimation, actor.userId);
    const staleness = await noteStaleness(db, estimation, settings, text);
    return await updateEstimation(db, estimation, { ...changes, ...staleness }, now);
  };
  const { correlation } = settings;
  const locksSettings = isLocked(estimation.status) && lockedFields(settings).length > 0;
  if (!edit) {
    if (locksSettings) refuseLocked(estimation);
    if (correlation === undefined) return { estimation: await store(settings) };
  }

  const { tree, bytes: before } = await loadMeasuredTree(db, estimation.id);
  const steps = computeChange({
    before: { tree, correlation: estimation.correlation },
    edit: edit ?? asItIs,
    known: await knownIds(db, { estimationId: estimation.id, tree, ids }, givenIds),
    correlation: correlation ?? estimation.correlation,
  });
  const computed = await inTurns(Math.max(before, editBytes), steps);
  if (!computed.ok) return computed.reason === "not_found" ? fail("not_found") : failWith(computed.faults);
  const { outcome, text, removedIds, hours } = computed;
  if (locksSettings || (text !== null && isLocked(estimation.status))) refuseLocked(estimation);
  if (text !== null) {
    const after = Buffer.byteLength(text);
    if (after > limits.treeBytes) failWith([faultAt("", breaches.treeBytes)]);
    await rememberRemoved(db, { estimationId: estimation.id, ids }, removedIds);
    await accountTree(db, quotas, estimation, stepsOf(after) - stepsOf(before));
    await saveTree(db, estimation.id, text, after);
  }
  const treeBytes = text === null ? before : text.length;
  return {
    ...outcome,
    treeBytes,
    estimation: await store({ ...settings, ...(hours ? hoursColumns(hours) : {}) }, text),
  };
}

const refuseLocked = ({ status }: LockedEstimation): never => fail("estimation_locked", { details: { status } });

const asItIs: EditTree<object> = (tree) => ({ ok: true, tree });

/** Returns the fields whose value differs. */
const changedFields = (estimation: LockedEstimation, fields: Partial<EstimationFields>): Partial<EstimationFields> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(estimation[name as keyof EstimationFields], value),
    ),
  );

/** Stores another state as the next revision. The caller checks whether the transition is allowed. */
export const setStatus = ({ db, estimation, now }: StateCall, status: EstimationStatus): Promise<LockedEstimation> =>
  updateEstimation(db, estimation, { status }, now);
