export { apiKeyRoutes } from "./routes.ts";
export { createKeyVerifier, type KeyVerifier } from "./verify-key.ts";
