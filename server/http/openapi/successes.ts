import { type DataReply, type Endpoint, type FoundReply, successesOf } from "../../../contract/endpoint.ts";
import { replyDataSchema } from "../reply-schema.ts";
import { type Json, json, portable } from "./portable.ts";

/** Returns the descriptions of a row's successes, by status. */
export function successes(endpoint: Endpoint): Json {
  const { reply } = endpoint;
  if ("location" in reply) {
    return {
      [reply.status]: { description: "Sends the browser elsewhere", headers: header("Location", reply.location) },
    };
  }
  return Object.fromEntries(successesOf(reply).map((success) => [success.status, describe(endpoint, success)]));
}

const describe = (endpoint: Endpoint, success: DataReply | FoundReply): Json => ({
  description: "when" in success ? success.when : "Success",
  headers: {
    ...(endpoint.etag ? header("ETag", "The revision") : {}),
    ...("created" in success && success.created ? header("Location", `What was made: ${success.created}`) : {}),
  },
  content: json({
    type: "object",
    required: ["success", "data"],
    properties: { success: { const: true }, data: portable(replyDataSchema(endpoint, success)) },
  }),
});

const header = (name: string, description: string): Json => ({ [name]: { schema: { type: "string" }, description } });
