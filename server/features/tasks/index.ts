export { countAffected } from "./generate.ts";
export { taskRoutes } from "./routes.ts";
export { loadTasks, removeTasksForGood } from "./store.ts";
