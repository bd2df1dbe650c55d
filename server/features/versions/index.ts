export { currentText, textOf, versionText } from "./current-snapshot.ts";
export { addVersion, pinIfRoom, pinVersion, snapshotOf } from "./pin.ts";
export { presentVersion } from "./present.ts";
export { replaceContent } from "./restore.ts";
export {
  findHistory,
  findVersion,
  findVersionWithSnapshot,
  findVersionWithText,
  freeVersions,
  measureVersions,
} from "./store.ts";
export { threads, versions } from "./tables.ts";
export {
  countThreads,
  createThreadList,
  findCurrentThread,
  findMergedThreads,
  findThread,
  mainIdOf,
  removeThread,
  saveThread,
  switchThread,
  type ThreadRow,
  type ThreadWithHours,
} from "./thread-store.ts";
