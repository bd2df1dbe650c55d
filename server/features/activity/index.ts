export { recordCall } from "./record-call.ts";
export { activityRoutes } from "./routes.ts";
export { recordActivities, removeActivityForGood } from "./store.ts";
