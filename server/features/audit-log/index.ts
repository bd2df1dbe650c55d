export { type Occurrence, type Origin, recordIdentityEvent } from "./record.ts";
export { auditLogRoutes } from "./routes.ts";
export { auditLogTasks } from "./tasks.ts";
