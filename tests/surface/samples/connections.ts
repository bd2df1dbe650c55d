import type { connections } from "../../../contract/endpoints/connections.ts";
import type { Making, Samples } from "./noun.ts";

export interface ConnectionRecords {
  readonly connection: string;
}

/** Makes a connection to a server where nothing responds. */
export async function makeConnection({ call }: Making): Promise<ConnectionRecords> {
  const { connection } = await call("POST", "/api/connections", {
    target: "github",
    name: "The team's GitHub",
    baseUrl: "https://127.0.0.1:1/api/v3",
    token: "github_pat_11EXAMPLE0exampleexample",
  });
  return { connection: String(connection?.id) };
}

export const connectionSamples: Samples<typeof connections> = {
  listConnections: () => ({}),
  createConnection: () => ({
    body: { target: "github", name: "The team's GitHub", token: "github_pat_11EXAMPLE0exampleexample" },
  }),
  getConnection: ({ connection }) => ({ params: { id: connection } }),
  updateConnection: ({ connection }) => ({ params: { id: connection }, body: { name: "GitHub of the shop" } }),
  checkConnection: ({ connection }) => ({ params: { id: connection }, body: { repository: "acme/shop" } }),
  listConnectionProjects: ({ connection }) => ({ params: { id: connection }, query: { q: "shop" } }),
  listConnectionIssueTypes: ({ connection }) => ({ params: { id: connection }, query: { project: "SHOP" } }),
  deleteConnection: ({ connection }) => ({ params: { id: connection } }),
};
