export { type Origin, recordIdentityEvent } from "./record.ts";
export { removeEvents } from "./store.ts";
