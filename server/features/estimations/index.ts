export { type ContentCall, changeContent } from "./change-content.ts";
export { estimationJobs } from "./jobs.ts";
export { estimationLookUp, type LockedEstimation, type ReadableEstimation } from "./look-up-store.ts";
export { type RemovePart, removeRows } from "./removal-store.ts";
export type { EstimationRow } from "./store.ts";
export { estimations } from "./tables.ts";
export { tellReaders } from "./tell-readers.ts";
export { loadTree } from "./tree-store.ts";
