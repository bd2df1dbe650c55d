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
export { taskTotals } from "./tables.ts";
export {
  finishedSources,
  listFinished,
  removeTaskTotalsForGood,
  type StoredFinishedTask,
  type TaskSource,
  titlesOf,
} from "./totals-store.ts";
