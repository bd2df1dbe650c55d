export { estimationJobs } from "./jobs.ts";
export { estimationLookUp, type ReadableEstimation } from "./look-up.ts";
export { readersOf } from "./readers.ts";
export type { EstimationRow } from "./store.ts";
export { estimations } from "./tables.ts";
export { loadTree, onceKnown, rememberRemoved, storeTree } from "./tree-store.ts";
