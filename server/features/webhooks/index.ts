export { type Emission, emit } from "./emit.ts";
export { webhookRoutes } from "./routes.ts";
export { countWebhooks } from "./store.ts";
export { webhookMailTasks, webhookTasks } from "./tasks.ts";
