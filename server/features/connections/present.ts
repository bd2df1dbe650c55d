import type { Connection } from "../../../contract/connections.ts";
import type { ConnectionRow } from "./store.ts";

/** Returns a connection as the API shows it: without its token. */
export const presentConnection = (row: ConnectionRow): Connection => ({
  id: row.id,
  target: row.target,
  name: row.name,
  baseUrl: row.baseUrl,
  email: row.email,
  tokenSetAt: row.tokenSetAt.toISOString(),
  tokenRejectedAt: row.tokenRejectedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
