export { estimationJobs } from "./jobs.ts";
export { type EstimationRow, findEstimation, lockEstimation, readersOf } from "./store.ts";
export { estimations } from "./tables.ts";
export { findWithTree, loadTree, onceKnown, rememberRemoved, storeTree } from "./tree-store.ts";
