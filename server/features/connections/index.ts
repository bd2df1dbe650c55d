export { demandDestination, destinationIn } from "./destination.ts";
export type { ConnectionTrackers } from "./routes.ts";
export {
  type ConnectionRow,
  deleteConnectionsBefore,
  findConnection,
  lockConnection,
  noteTokenRejected,
} from "./store.ts";
export { connections } from "./tables.ts";
