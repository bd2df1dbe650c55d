import type { apiKeys } from "../../../contract/endpoints/api-keys.ts";
import type { Making, Samples } from "./noun.ts";

export interface ApiKeyRecords {
  readonly apiKey: string;
}

export async function makeApiKey({ call }: Making): Promise<ApiKeyRecords> {
  const { apiKey } = await call("POST", "/api/api-keys", { name: "Build server", scopes: ["tasks:read"] });
  return { apiKey: String(apiKey?.id) };
}

export const apiKeySamples: Samples<typeof apiKeys> = {
  createApiKey: () => ({
    body: { name: "Export to the tracker", scopes: ["tasks:read", "tasks:export"] },
  }),
  listApiKeys: () => ({}),
  getApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  updateApiKey: ({ apiKey }) => ({ params: { id: apiKey }, body: { name: "Nightly build" } }),
  rotateApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  revokeApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
};
