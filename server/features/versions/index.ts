export { currentSnapshot } from "./current-snapshot.ts";
export { versionJobs } from "./jobs.ts";
export { addVersion, pinIfRoom, pinVersion, snapshotOf } from "./pin.ts";
export { presentVersion } from "./present.ts";
export { replaceContent } from "./restore.ts";
export { versionRoutes } from "./routes.ts";
export {
  findHistory,
  findVersion,
  findVersionWithSnapshot,
  measureVersions,
  removeVersionsForGood,
} from "./store.ts";
export { versions } from "./tables.ts";
export {
  countThreads,
  createThreadList,
  findCurrentThread,
  findThread,
  mainIdOf,
  removeThread,
  removeThreadsForGood,
  saveThread,
  switchThread,
  type ThreadRow,
  type ThreadWithHours,
} from "./thread-store.ts";
