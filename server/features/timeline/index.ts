export { milestoneRoutes } from "./milestone-routes.ts";
export { timelineRoutes } from "./routes.ts";
