import type { TSchema } from "typebox";
import type { Endpoint } from "../../contract/endpoint.ts";

/** Schema of `data` where every field is there but for the secrets of the row, which a replay leaves out. */
export function replyDataSchema({ reply, secrets = [] }: Endpoint): TSchema {
  const schema = reply.data as TSchema & { required?: readonly string[] };
  if (secrets.length === 0) return schema;
  return { ...schema, required: (schema.required ?? []).filter((name) => !secrets.includes(name)) };
}

/** Schema of the success envelope of a row. */
export const replySchema = (endpoint: Endpoint) => ({
  type: "object",
  properties: { success: { type: "boolean", const: true }, data: replyDataSchema(endpoint) },
  required: ["success", "data"],
  additionalProperties: false,
});
