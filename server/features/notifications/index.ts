export { mailSettings } from "./settings.ts";
export { mountUnsubscribe } from "./unsubscribe.ts";
