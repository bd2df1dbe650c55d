export { acceptAtSignIn } from "./accept.ts";
export { endEarlierAccess } from "./earlier-access.ts";
export { demandVerified } from "./invite.ts";
export { shareJobs } from "./jobs.ts";
export { shareMails } from "./mails.ts";
export { shareRoutes } from "./routes.ts";
