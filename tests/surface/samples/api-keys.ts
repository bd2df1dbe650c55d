import type { apiKeys } from "../../../contract/api-keys.ts";
import type { Making, Samples } from "./noun.ts";

export interface ApiKeyRecords {
  readonly apiKey: string;
}

export async function makeApiKey({ call }: Making): Promise<ApiKeyRecords> {
  const { apiKey } = await call("POST", "/api/api-keys", { name: "Sample", scopes: ["tasks:read"] });
  return { apiKey: String(apiKey?.id) };
}

export const apiKeySamples: Samples<typeof apiKeys> = {
  createApiKey: () => ({ body: { name: "CI", scopes: ["tasks:read"] } }),
  listApiKeys: () => ({}),
  getApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  updateApiKey: ({ apiKey }) => ({ params: { id: apiKey }, body: { name: "CI 2" } }),
  rotateApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  revokeApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
};
