export { countUsableKeys, readCredentials, removeRevoked, revokeKeysBefore } from "./store.ts";
export { createKeyVerifier } from "./verify-key.ts";
