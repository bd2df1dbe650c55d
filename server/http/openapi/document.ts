import type { TSchema } from "typebox";
import { methodsOf } from "../../../contract/endpoint.ts";
import type { EndpointGroup } from "../../../contract/groups.ts";
import { scopes } from "../../../contract/scopes.ts";
import { components } from "../../../contract/shapes.ts";
import { errorBodies, errorSchemas } from "./errors.ts";
import { operation } from "./operation.ts";
import { type Json, portable } from "./portable.ts";

/** Returns the OpenAPI 3.1 document of the API, made from the rows that also validate and authorise requests. */
export function openApi(groups: readonly EndpointGroup[], baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const { title, rows } of groups) {
    for (const [id, endpoint] of Object.entries(rows)) {
      const path = endpoint.path.replace(/:([A-Za-z]+)/g, "{$1}");
      for (const method of methodsOf(endpoint)) {
        const name = method === endpoint.method ? id : `${id}ByPatch`;
        paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, endpoint, title) };
      }
    }
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
    tags: groups.map(({ title }) => ({ name: title })),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(components.map((schema) => [nameOf(schema), portable(schema)])),
        ...errorSchemas(),
      },
      responses: errorBodies(groups.flatMap(({ rows }) => Object.values(rows))),
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

const nameOf = (schema: TSchema): string => (schema as TSchema & { $id: string }).$id;
