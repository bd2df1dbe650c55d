export { forgetInvited, recordActivities, recordActivity, recordEdit } from "./activity-store.ts";
export { type ContentCall, changeContent, type StateCall, setStatus } from "./change-content.ts";
export {
  estimationLookUp,
  type LockedEstimation,
  levelOf,
  lockEstimations,
  lockForOwnRecord,
  type ReadableEstimation,
  readTree,
} from "./look-up-store.ts";
export { makeEstimation } from "./make-estimation.ts";
export { presentEstimation } from "./present.ts";
export { presentNode, presentNodes, presentOption } from "./present-tree.ts";
export { addShared, fellowReadersOf, isWorkedOn, noteChange, setReader } from "./reader-store.ts";
export { type Forget, removeDeleted, removeForGood, removeRows } from "./removal-store.ts";
export { isTreeId } from "./removed-id-store.ts";
export { noteContent, setReviewState } from "./reviewed-store.ts";
export { type EstimationRow, setOwner } from "./store.ts";
export { activityEntries, estimationReaders, estimations, reviewedContents } from "./tables.ts";
export { tellReaders, webPages } from "./tell-readers.ts";
export { loadTimeline, type TimelineContent } from "./timeline-store.ts";
export { retainedSince } from "./trash.ts";
export { loadTree, loadTreeText } from "./tree-store.ts";
export {
  accountTexts,
  accountVersions,
  bytesOfTexts,
  halfOf,
  moveUsage,
  partOf,
  subtractVersions,
} from "./usage-store.ts";
