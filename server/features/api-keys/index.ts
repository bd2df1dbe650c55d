export { keyMails } from "./expiry-mails.ts";
export { keyJobs } from "./jobs.ts";
export {
  countUsableKeys,
  listStandingKeys,
  readCredentials,
  removeRevoked,
  revokeKeys,
  revokeKeysBefore,
} from "./store.ts";
export { createKeyVerifier } from "./verify-key.ts";
