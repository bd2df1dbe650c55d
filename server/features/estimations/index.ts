export { type ContentCall, changeContent, type StateCall } from "./change-content.ts";
export { estimationJobs } from "./jobs.ts";
export {
  estimationLookUp,
  type LockedEstimation,
  lockEstimations,
  type ReadableEstimation,
} from "./look-up-store.ts";
export { makeEstimation } from "./make-estimation.ts";
export { nameInvisible } from "./name-invisible.ts";
export { presentEstimation } from "./present.ts";
export { presentNode, presentNodes, presentOption } from "./present-tree.ts";
export { halfOf, quotaFor } from "./quota-for.ts";
export { addShared, fellowReadersOf, isWorkedOn, noteChange, setReader } from "./reader-store.ts";
export { recomputeStored, type StoredHours } from "./recompute-hours.ts";
export { type RemovePart, removeRows } from "./removal-store.ts";
export { isTreeId } from "./removed-id-store.ts";
export { noteContent, setReviewState } from "./reviewed-store.ts";
export { setStatus } from "./set-status.ts";
export { type EstimationRow, setOwner } from "./store.ts";
export { estimationReaders, estimations, reviewedContents } from "./tables.ts";
export { tellReaders } from "./tell-readers.ts";
export { bytesOfTexts, measureTexts, refuseMoreTexts } from "./text-usage-store.ts";
export { loadTimeline, type TimelineContent } from "./timeline-store.ts";
export { loadTree } from "./tree-store.ts";
export { accountVersions, freeVersions, moveUsage } from "./usage-store.ts";
export { webPages } from "./web-pages.ts";
