export { auditLogJobs } from "./jobs.ts";
export { type Origin, recordIdentityEvent } from "./record.ts";
export { auditLogRoutes } from "./routes.ts";
