export { type ConnectionCheck, connectionRoutes } from "./routes.ts";
export { type ConnectionRow, deleteConnectionsBefore, findConnection, noteTokenRejected } from "./store.ts";
export { connections } from "./tables.ts";
