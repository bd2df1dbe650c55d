import type { TSchema } from "typebox";
import type { DataReply, Endpoint, FoundReply } from "../../contract/endpoint.ts";

/** A row that returns data. */
export type DataEndpoint = Endpoint & { readonly reply: DataReply };

/** Returns whether the row returns data; the others redirect a browser. */
export const answersData = (endpoint: Endpoint): endpoint is DataEndpoint => "data" in endpoint.reply;

/**
 * Returns the schema of `data` of one of a row's successes: every field is required, except the row's secrets, which a
 * replay leaves out.
 */
export function replyDataSchema({ secrets = [] }: Endpoint, { data }: DataReply | FoundReply): TSchema {
  const schema = data as TSchema & { required?: readonly string[] };
  if (secrets.length === 0) return schema;
  return { ...schema, required: (schema.required ?? []).filter((name) => !secrets.includes(name)) };
}

/** Returns the schema of the envelope of one of a row's successes. */
export const replySchema = (endpoint: Endpoint, success: DataReply | FoundReply) => ({
  type: "object",
  properties: { success: { type: "boolean", const: true }, data: replyDataSchema(endpoint, success) },
  required: ["success", "data"],
  additionalProperties: false,
});
