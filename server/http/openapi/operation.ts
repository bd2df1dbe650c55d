import type { TSchema } from "typebox";
import { type Endpoint, errorsOf, isRepeatable, paramsOf, scopesOf } from "../../../contract/endpoint.ts";
import { levelsWith } from "../../../domain/access.ts";
import { errorResponses } from "./errors.ts";
import { type Json, json, portable } from "./portable.ts";
import { successes } from "./successes.ts";

/** Returns the description of one row, under the heading `title`. */
export function operation(id: string, endpoint: Endpoint, title: string): Json {
  const { summary, description, access, right, body, bodyOptional, events } = endpoint;
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [title],
    security: securityOf(endpoint),
    ...(scopesOf(access).length > 0 ? { "x-required-scope": scopesOf(access) } : {}),
    ...(right ? { "x-required-access": levelsWith(right) } : {}),
    ...(events ? { "x-events": events } : {}),
    parameters: parametersOf(endpoint),
    ...(body ? { requestBody: { required: !bodyOptional, content: json(portable(body)) } } : {}),
    responses: {
      ...successes(endpoint),
      ...(endpoint.etag && endpoint.method === "GET"
        ? { 304: { description: "The revision in `If-None-Match` is the current one" } }
        : {}),
      ...errorResponses(errorsOf(endpoint)),
    },
  };
}

function securityOf({ access }: Endpoint): Json[] {
  if (access === "anyone") return [];
  if (access === "session") return [{ session: [] }];
  const wanted = scopesOf(access);
  return [{ session: [] }, ...(wanted.length > 0 ? wanted.map((scope) => ({ apiKey: [scope] })) : [{ apiKey: [] }])];
}

function parametersOf(endpoint: Endpoint): Json[] {
  const query = (endpoint.query ?? {}) as { properties?: Record<string, TSchema>; required?: string[] };
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  });
  return [
    ...paramsOf(endpoint.path).map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      name,
      in: "query",
      required: query.required?.includes(name) ?? false,
      ...((schema as { type?: unknown }).type === "array" ? { style: "form", explode: false } : {}),
      schema: portable(schema),
    })),
    ...(endpoint.etag && endpoint.method === "GET"
      ? [header("If-None-Match", "The revision that is known already; 304 where it is the current one")]
      : []),
    ...(endpoint.ifMatch
      ? [header("If-Match", "The revision that the change is meant for; 412 where it is not the current one")]
      : []),
    ...(isRepeatable(endpoint)
      ? [header("Idempotency-Key", "Repeat the request with the same key and the work is done once")]
      : []),
  ];
}
