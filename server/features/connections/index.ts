export { connectionRoutes } from "./routes.ts";
export { deleteConnectionsBefore } from "./store.ts";
