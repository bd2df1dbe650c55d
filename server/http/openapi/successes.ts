import {
  type DataResponse,
  type Endpoint,
  type FileResponse,
  type FoundResponse,
  isRepeatable,
  type StreamResponse,
  successesOf,
} from "../../../contract/endpoint.ts";
import { type Json, portable } from "../../../contract/portable.ts";
import { responseDataSchema } from "../response/response-schema.ts";
import type { Examples } from "./examples.ts";
import { headersWith } from "./headers.ts";
import { json } from "./json-content.ts";

/** Returns the descriptions of an endpoint's successes, by status. */
export function successes(endpoint: Endpoint, examples: Examples): Json {
  const { response } = endpoint;
  if ("location" in response) {
    const headers = { ...headersWith(), ...location(response.location) };
    return { [response.status]: { description: "Sends the browser elsewhere", headers } };
  }
  if ("file" in response) return { [response.status]: describeFile(endpoint, response, examples) };
  if ("stream" in response) return { [response.status]: describeStream(response) };
  return Object.fromEntries(
    successesOf(response).map((success) => [success.status, describe(endpoint, success, examples)]),
  );
}

function describe(endpoint: Endpoint, success: DataResponse | FoundResponse, { responses }: Examples): Json {
  const data = responses[success.status];
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
        properties: {
          success: { type: "boolean", const: true },
          data: portable(responseDataSchema(endpoint, success)),
        },
      },
      data === undefined ? undefined : { success: true, data },
    ),
  };
}

function describeFile({ etag }: Endpoint, { status, file }: FileResponse, { responses }: Examples): Json {
  const saved = responses[status] as Readonly<Record<string, unknown>> | undefined;
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
          // Bytes have no schema (OpenAPI 3.1, 4.8.14.1).
          ...(isText(type) ? { schema: { type: type === "application/json" ? "object" : "string" } } : {}),
          ...(saved?.[type] === undefined ? {} : { example: saved[type] }),
        },
      ]),
    ),
  };
}

const isText = (type: string): boolean => type.startsWith("text/") || type === "application/json";

/** OpenAPI 3.2 has `itemSchema` for this; 3.1 can only extend itself. */
const describeStream = ({ stream }: StreamResponse): Json => ({
  description: "Server-sent events named `progress`, as they are produced; `x-itemSchema` describes the data of one",
  headers: headersWith(),
  content: { "text/event-stream": { schema: { type: "string" }, "x-itemSchema": portable(stream) } },
});

const text = (description: string): Json => ({ schema: { type: "string" }, description });
const location = (description: string): Json => ({ Location: text(description) });
