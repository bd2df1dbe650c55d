export { notificationRoutes } from "./routes.ts";
export { mailSettings } from "./settings.ts";
export { mountUnsubscribe } from "./unsubscribe.ts";
