export { apiKeyJobs } from "./jobs.ts";
export { apiKeyRoutes } from "./routes.ts";
export { countUsableKeys, revokeKeysBefore } from "./store.ts";
export { createKeyVerifier } from "./verify-key.ts";
