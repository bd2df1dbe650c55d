export { removeMessagesForGood } from "./message-store.ts";
export { threadRoutes } from "./routes.ts";
