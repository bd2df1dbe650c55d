import type { TSchema } from "typebox";
import { type Endpoint, errorsOf, isRepeatable, paramsOf, scopesOf } from "../../contract/endpoint.ts";
import { type ErrorKey, errorRow } from "../../contract/errors.ts";
import { scopes } from "../../contract/scopes.ts";
import { components } from "../../contract/shapes.ts";
import { levelsWith } from "../../domain/access.ts";
import { replyDataSchema } from "./reply-schema.ts";

type Json = Record<string, unknown>;

const ERROR_SCHEMA: Json = {
  type: "object",
  required: ["success", "message", "requestId"],
  properties: {
    success: { const: false },
    message: { type: "string", description: "What to match on" },
    code: { type: "string" },
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" } },
    },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
    details: { type: "object" },
    requestId: { type: "string" },
  },
};

/** The OpenAPI 3.1 description of the surface, made from the rows that also validate and authorise. */
export function openApi(rows: readonly (readonly [string, Endpoint])[], baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const [id, endpoint] of rows) {
    const path = endpoint.path.replace(/:([A-Za-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(id, endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Estimation Service",
      version: "1.0.0",
      description:
        "Estimations as decision trees, their hours with honest percentiles, tasks and signed webhooks. Success bodies carry `data`; error bodies `success: false` and a `message` to match on.",
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(components.map((schema) => [nameOf(schema), portable(schema)])),
        Error: ERROR_SCHEMA,
      },
      responses: responsesOf(rows),
      securitySchemes: {
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "A session token; it has every scope",
        },
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "svc_live_…",
          description: `An API key, within its scopes: ${Object.keys(scopes).join(", ")}`,
        },
      },
    },
  };
}

function operation(id: string, endpoint: Endpoint): Json {
  const { summary, description, access, right, body, reply, events } = endpoint;
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [endpoint.path.split("/")[2]],
    security: securityOf(endpoint),
    ...(scopesOf(access).length > 0 ? { "x-required-scope": scopesOf(access) } : {}),
    ...(right ? { "x-required-access": levelsWith(right) } : {}),
    ...(events ? { "x-events": events } : {}),
    parameters: parametersOf(endpoint),
    ...(body ? { requestBody: { required: true, content: json(portable(body)) } } : {}),
    responses: {
      [reply.status]: success(endpoint),
      ...errorResponses(errorsOf(endpoint)),
    },
  };
}

function success(endpoint: Endpoint): Json {
  const header = (name: string, description: string) => ({ [name]: { schema: { type: "string" }, description } });
  const { reply } = endpoint;
  if ("location" in reply) {
    return { description: "Sends the browser elsewhere", headers: header("Location", reply.location) };
  }
  return {
    description: "Success",
    ...(endpoint.etag ? { headers: header("ETag", "The revision") } : {}),
    content: json({
      type: "object",
      required: ["success", "data"],
      properties: { success: { const: true }, data: portable(replyDataSchema({ ...endpoint, reply })) },
    }),
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
      schema: portable(schema),
    })),
    ...(errorsOf(endpoint).includes("revision_mismatch")
      ? [header("If-Match", "The revision that the change is meant for; 412 where it is not the current one")]
      : []),
    ...(isRepeatable(endpoint)
      ? [header("Idempotency-Key", "Repeat the request with the same key and the work is done once")]
      : []),
  ];
}

/** One response per status, declared once however many operations share it; its name lists the errors. */
function errorResponses(keys: readonly ErrorKey[]): Json {
  const byStatus = Map.groupBy(keys, (key) => errorRow(key).status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, { $ref: `#/components/responses/${responseName(group)}` }]),
  );
}

const responseName = (group: readonly ErrorKey[]): string => [...group].sort().join(".");

function responsesOf(rows: readonly (readonly [string, Endpoint])[]): Json {
  const groups = rows.flatMap(([, row]) => [...Map.groupBy(errorsOf(row), (key) => errorRow(key).status).values()]);
  return Object.fromEntries(
    groups.map((group) => [
      responseName(group),
      {
        description: group.map((key) => `\`${errorRow(key).message}\`: ${errorRow(key).when}`).join("\n\n"),
        content: json({
          allOf: [{ $ref: "#/components/schemas/Error" }],
          properties: { message: { enum: group.map((key) => errorRow(key).message) } },
        }),
      },
    ]),
  );
}

const json = (schema: unknown): Json => ({ "application/json": { schema } });

const nameOf = (schema: TSchema): string => (schema as TSchema & { $id: string }).$id;

/** A copy in which components are referred to as OpenAPI does. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== "$id");
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key === "$ref" && typeof value === "string"
        ? [key, `#/components/schemas/${value.slice(0, -1)}`]
        : [key, portable(value)],
    ),
  );
}
