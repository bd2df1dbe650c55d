import {
  type DataReply,
  type Endpoint,
  type FileReply,
  type FoundReply,
  isRepeatable,
  type LinesReply,
  type StreamReply,
  successesOf,
} from "../../../contract/endpoint.ts";
import { replyDataSchema } from "../reply-schema.ts";
import type { Examples } from "./examples.ts";
import { headersWith } from "./headers.ts";
import { type Json, json, portable } from "./portable.ts";

/** Returns the descriptions of a row's successes, by status. */
export function successes(endpoint: Endpoint, examples: Examples): Json {
  const { reply } = endpoint;
  if ("location" in reply) {
    const headers = { ...headersWith(), ...location(reply.location) };
    return { [reply.status]: { description: "Sends the browser elsewhere", headers } };
  }
  if ("file" in reply) return { [reply.status]: describeFile(endpoint, reply, examples) };
  if ("lines" in reply) return { [reply.status]: describeLines(reply) };
  if ("stream" in reply) return { [reply.status]: describeStream(reply) };
  return Object.fromEntries(
    successesOf(reply).map((success) => [success.status, describe(endpoint, success, examples)]),
  );
}

function describe(endpoint: Endpoint, success: DataReply | FoundReply, { answers }: Examples): Json {
  const data = answers[success.status];
  return {
    description: "when" in success ? success.when : "Success",
    headers: {
      ...headersWith([
        ...(endpoint.etag ? (["ETag"] as const) : []),
        ...(isRepeatable(endpoint) ? (["IdempotentReplayed"] as const) : []),
      ]),
      ...("created" in success && success.created ? location(`Path of the new record: ${success.created}`) : {}),
    },
    content: json(
      {
        type: "object",
        required: ["success", "data"],
        properties: { success: { type: "boolean", const: true }, data: portable(replyDataSchema(endpoint, success)) },
      },
      data === undefined ? undefined : { success: true, data },
    ),
  };
}

function describeFile({ etag }: Endpoint, { status, file }: FileReply, { answers }: Examples): Json {
  const saved = answers[status] as Readonly<Record<string, unknown>> | undefined;
  return {
    description: "A file to save",
    headers: {
      ...headersWith(etag ? ["ETag"] : []),
      "Content-Disposition": text("The name of the file (RFC 6266)"),
    },
    content: Object.fromEntries(
      file.map((type) => [
        type,
        {
          schema: { type: type === "application/json" ? "object" : "string" },
          ...(saved?.[type] === undefined ? {} : { example: saved[type] }),
        },
      ]),
    ),
  };
}

/** OpenAPI 3.2 has `itemSchema` for this; 3.1 can only extend itself. */
const describeLines = ({ lines }: LinesReply): Json => ({
  description: "JSON values, one per line, as they are produced; `x-itemSchema` describes one",
  headers: headersWith(),
  content: { "application/x-ndjson": { schema: { type: "string" }, "x-itemSchema": portable(lines) } },
});

const describeStream = ({ stream }: StreamReply): Json => ({
  description: "Server-sent events named `progress`, as they are produced; `x-itemSchema` describes the data of one",
  headers: headersWith(),
  content: { "text/event-stream": { schema: { type: "string" }, "x-itemSchema": portable(stream) } },
});

const text = (description: string): Json => ({ schema: { type: "string" }, description });
const location = (description: string): Json => ({ Location: text(description) });
