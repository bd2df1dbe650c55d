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
