export { mailSettings, mountUnsubscribe } from "./unsubscribe.ts";
