export { googleSignInRoutes } from "./routes.ts";
export { googleSignInTasks } from "./tasks.ts";
