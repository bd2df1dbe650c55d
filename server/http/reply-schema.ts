import type { TSchema } from "typebox";
import type { DataReply, Endpoint } from "../../contract/endpoint.ts";

/** A row that answers data. */
export type DataEndpoint = Endpoint & { readonly reply: DataReply };

/** Whether the row answers data; the others send a browser elsewhere. */
export const answersData = (endpoint: Endpoint): endpoint is DataEndpoint => "data" in endpoint.reply;

/** Schema of `data` where every field is there but for the secrets of the row, which a replay leaves out. */
export function replyDataSchema({ reply, secrets = [] }: DataEndpoint): TSchema {
  const schema = reply.data as TSchema & { required?: readonly string[] };
  if (secrets.length === 0) return schema;
  return { ...schema, required: (schema.required ?? []).filter((name) => !secrets.includes(name)) };
}

/** Schema of the success envelope of a row. */
export const replySchema = (endpoint: DataEndpoint) => ({
  type: "object",
  properties: { success: { type: "boolean", const: true }, data: replyDataSchema(endpoint) },
  required: ["success", "data"],
  additionalProperties: false,
});
