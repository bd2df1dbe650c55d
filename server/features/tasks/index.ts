export { countAffected } from "./generate.ts";
export { taskRoutes } from "./routes.ts";
export { loadTaskNames, loadTasks, removeTasksForGood, type TaskName } from "./store.ts";
