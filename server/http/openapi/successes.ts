import {
  type DataReply,
  type Endpoint,
  type FileReply,
  type FoundReply,
  type LinesReply,
  successesOf,
} from "../../../contract/endpoint.ts";
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
  if ("file" in reply) return { [reply.status]: describeFile(endpoint, reply) };
  if ("lines" in reply) return { [reply.status]: describeLines(reply) };
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

const describeFile = ({ etag }: Endpoint, { file }: FileReply): Json => ({
  description: "A file to save",
  headers: {
    ...(etag ? header("ETag", "The revision") : {}),
    ...header("Content-Disposition", "The name of the file (RFC 6266)"),
  },
  content: Object.fromEntries(
    file.map((type) => [type, { schema: { type: type === "application/json" ? "object" : "string" } }]),
  ),
});

/** OpenAPI 3.2 has `itemSchema` for this; 3.1 can only extend itself. */
const describeLines = ({ lines }: LinesReply): Json => ({
  description: "JSON values, one in each line, as they come; `x-itemSchema` describes one",
  content: { "application/x-ndjson": { schema: { type: "string" }, "x-itemSchema": portable(lines) } },
});

const header = (name: string, description: string): Json => ({ [name]: { schema: { type: "string" }, description } });
