import type { TSchema } from "typebox";
import { type DataResponse, type Endpoint, type FoundResponse, successesOf } from "../../../contract/endpoint.ts";

/** An endpoint that returns data. */
export type DataEndpoint = Endpoint & { readonly response: DataResponse };

/** Returns whether the endpoint returns data; the others redirect a browser. */
export const responsesData = (endpoint: Endpoint): endpoint is DataEndpoint => "data" in endpoint.response;

/**
 * Returns the schema of `data` of one of an endpoint's successes: every field is required, except the endpoint's secrets, which a
 * replay leaves out.
 */
export function responseDataSchema({ secrets = [] }: Endpoint, { data }: DataResponse | FoundResponse): TSchema {
  const schema = data as TSchema & { required?: readonly string[] };
  if (secrets.length === 0) return schema;
  return { ...schema, required: (schema.required ?? []).filter((name) => !secrets.includes(name)) };
}

/** Made once for each endpoint, so that what was compiled from them is reused. */
const envelopes = new WeakMap<Endpoint, Readonly<Record<number, object>>>();

/** Returns the schemas of the envelopes of an endpoint's successes, by their status. */
export function responseSchemas(endpoint: DataEndpoint): Readonly<Record<number, object>> {
  const schemas =
    envelopes.get(endpoint) ??
    Object.fromEntries(
      successesOf(endpoint.response).map((success) => [
        success.status,
        envelope(responseDataSchema(endpoint, success)),
      ]),
    );
  envelopes.set(endpoint, schemas);
  return schemas;
}

const envelope = (data: TSchema) => ({
  type: "object",
  properties: { success: { type: "boolean", const: true }, data },
  required: ["success", "data"],
  additionalProperties: false,
});
