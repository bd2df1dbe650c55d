export { addNotifications, countUnread, removeNotifications, removeReminders } from "./inbox-store.ts";
export { mailSettings, mountUnsubscribe } from "./unsubscribe.ts";
