export { type Origin, recordIdentityEvent, storedUserAgent } from "./record.ts";
export { type AuditEventRow, listAllEvents, removeEvents } from "./store.ts";
