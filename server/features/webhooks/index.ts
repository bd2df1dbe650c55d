export { emit } from "./emit.ts";
export { webhookJobs, webhookMailJobs } from "./jobs.ts";
export { webhookRoutes } from "./routes.ts";
export { countWebhooks } from "./store.ts";
