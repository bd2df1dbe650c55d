export { demandDestination, destinationIn } from "./destination.ts";
export type { ConnectionTrackers } from "./routes.ts";
export {
  type ConnectionRow,
  deleteConnectionsBefore,
  findConnection,
  learnDropped,
  lockConnection,
  noteTokenRejected,
} from "./store.ts";
export { connections } from "./tables.ts";
