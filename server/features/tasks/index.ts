export { newestWith } from "./accuracy-store.ts";
export { countAffected } from "./generate.ts";
export {
  findTasks,
  hasOpenTasks,
  loadTaskNames,
  loadTasks,
  obsoleteTaskIds,
  openTaskPlaces,
  setTaskFacts,
  type TaskName,
  type TaskPlace,
} from "./store.ts";
export { FINISHED, tasks as tasksTable, taskTotals } from "./tables.ts";
export {
  type FinishedTasks,
  findNewest,
  finishedSources,
  listFinished,
  type PlaceInTime,
  readFinished,
  type StoredFinishedTask,
  type TaskSource,
  titlesOf,
} from "./totals-store.ts";
