export { webhookMails } from "./deactivation-mail.ts";
export { emit } from "./emit.ts";
export { webhookJobs } from "./jobs.ts";
export { webhookRoutes } from "./routes.ts";
export { countWebhooks } from "./store.ts";
