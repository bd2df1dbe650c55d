export { countAffected } from "./generate.ts";
export { taskRoutes } from "./routes.ts";
export {
  findTasks,
  hasOpenTasks,
  loadTaskNames,
  loadTasks,
  openTaskPlaces,
  removeTasksForGood,
  setTaskFacts,
  type TaskName,
  type TaskPlace,
} from "./store.ts";
export { tasks as tasksTable, taskTotals } from "./tables.ts";
export {
  type FinishedTasks,
  findNewest,
  finishedSources,
  listFinished,
  type PlaceInTime,
  readFinished,
  removeTaskTotalsForGood,
  type StoredFinishedTask,
  type TaskSource,
  titlesOf,
} from "./totals-store.ts";
