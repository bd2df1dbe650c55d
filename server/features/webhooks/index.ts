export { type Emission, emit } from "./emit.ts";
export { webhookRoutes } from "./routes.ts";
export { webhookTasks } from "./tasks.ts";
