export { webhookMails } from "./deactivation-mail.ts";
export { startDispatcher } from "./delivery/dispatch.ts";
export { countDueDeliveries } from "./delivery/due-store.ts";
export { emit, emitAll } from "./emit.ts";
export { forgetFormerSecrets } from "./former-secrets.ts";
export { webhookJobs } from "./jobs.ts";
export { countWaiting, countWebhooks, deleteWebhooksBefore, listWebhooks } from "./store.ts";
