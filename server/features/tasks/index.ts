export { taskRoutes } from "./routes.ts";
export { removeTasksForGood } from "./store.ts";
