export { apiKeyRoutes } from "./routes.ts";
export { countUsableKeys } from "./store.ts";
export { createKeyVerifier, type KeyVerifier } from "./verify-key.ts";
