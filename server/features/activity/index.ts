export { activityRoutes } from "./routes.ts";
export { removeActivityForGood } from "./store.ts";
