export { apiKeyJobs } from "./jobs.ts";
export { apiKeyRoutes } from "./routes.ts";
export { countUsableKeys, readCredentials, revokeKeysBefore } from "./store.ts";
export { createKeyVerifier } from "./verify-key.ts";
