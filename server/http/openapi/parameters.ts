import type { TSchema } from "typebox";
import { type Endpoint, isRepeatable, paramsOf } from "../../../contract/endpoint.ts";
import { limits } from "../../../contract/limits.ts";
import { meaningOf } from "../../../contract/param-meaning.ts";
import type { Json } from "../../../contract/portable.ts";
import { REPLAY_BYTES } from "../idempotency.ts";
import type { Examples } from "./examples.ts";
import { sentSchema } from "./sent-schema.ts";

/** `*`, or entity tags: what `parseTags` reads. */
const tags = { type: "string", pattern: '^\\s*(\\*|(W/)?"[^",]*"(\\s*,\\s*(W/)?"[^",]*")*)\\s*$' } as const;

/** Headers of requests that several operations share. */
export const headerParameters = {
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The revision that the client has; 304 if it is the current one",
    schema: tags,
    example: '"6"',
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "The revision that the change is meant for; 412 if it is not the current one",
    schema: tags,
    example: '"6"',
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `Repeat the request with the same key within ${limits.idempotencyHours} hours, and it is carried out once: the first response is sent again. If it had more than ${REPLAY_BYTES / 1024} KiB, the repeat gets \`response_not_stored\` with what was stored of it. The bytes of the body must be the same. Visible ASCII characters`,
    schema: { type: "string", minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: "^[!-~]+$" },
    example: "8e03978e-40d5-43e8-bc93-6894a57f9324",
  },
} as const;

const refTo = (name: keyof typeof headerParameters): Json => ({ $ref: `#/components/parameters/${name}` });

/** Returns the parameters of an endpoint. */
export function parametersOf(endpoint: Endpoint, { params = {}, query: queried = {} }: Examples): Json[] {
  const query = (endpoint.query ?? {}) as { properties?: Record<string, TSchema>; required?: string[] };
  return [
    ...paramsOf(endpoint.path).map((name) => ({
      name,
      in: "path",
      required: true,
      description: meaningOf(endpoint, name),
      schema: { type: "string" },
      ...(name in params ? { example: params[name] } : {}),
    })),
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => {
      const { description, ...plain } = sentSchema(schema) as Json;
      return {
        name,
        in: "query",
        required: query.required?.includes(name) ?? false,
        description,
        ...(plain.type === "array" ? { style: "form", explode: false } : {}),
        schema: plain,
        ...(typeof queried[name] === "string" && plain.type === "string" ? { example: queried[name] } : {}),
      };
    }),
    ...(endpoint.etag && endpoint.method === "GET" ? [refTo("IfNoneMatch")] : []),
    ...(endpoint.ifMatch ? [refTo("IfMatch")] : []),
    ...(isRepeatable(endpoint) ? [refTo("IdempotencyKey")] : []),
  ];
}
