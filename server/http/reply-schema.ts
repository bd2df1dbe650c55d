import type { TSchema } from "typebox";
import type { DataReply, Endpoint } from "../../contract/endpoint.ts";

/** A row that returns data. */
export type DataEndpoint = Endpoint & { readonly reply: DataReply };

/** Returns whether the row returns data; the others redirect a browser. */
export const answersData = (endpoint: Endpoint): endpoint is DataEndpoint => "data" in endpoint.reply;

/**
 * Returns the schema of `data` in which every field is required, except the row's secrets, which a replay leaves out.
 */
export function replyDataSchema({ reply, secrets = [] }: DataEndpoint): TSchema {
  const schema = reply.data as TSchema & { required?: readonly string[] };
  if (secrets.length === 0) return schema;
  return { ...schema, required: (schema.required ?? []).filter((name) => !secrets.includes(name)) };
}

/** Returns the schema of a row's success envelope. */
export const replySchema = (endpoint: DataEndpoint) => ({
  type: "object",
  properties: { success: { type: "boolean", const: true }, data: replyDataSchema(endpoint) },
  required: ["success", "data"],
  additionalProperties: false,
});
