import { readFileSync } from "node:fs";
import type { TSchema } from "typebox";
import { type Endpoint, methodsOf } from "../../../contract/endpoint.ts";
import type { EndpointGroup } from "../../../contract/groups.ts";
import { type Json, portable } from "../../../contract/portable.ts";
import { scopes } from "../../../contract/scopes.ts";
import { components } from "../../../contract/shapes.ts";
import { errorBodies, errorSchemas } from "./errors.ts";
import { eventOperations, eventSchemas, eventTag } from "./events.ts";
import { examplesOf } from "./examples.ts";
import { headers } from "./headers.ts";
import { operation } from "./operation.ts";
import { headerParameters } from "./parameters.ts";
import { requestSchemas } from "./request-body.ts";
import { sentSchema } from "./sent-schema.ts";

/** Whether a component occurs only in requests. */
const isSent = (schema: TSchema): boolean => nameOf(schema).endsWith("Input");

/** Returns the OpenAPI 3.1 document of the API, made from the endpoints that also validate and authorise requests. */
export function openApi(groups: readonly EndpointGroup[], baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const { title, endpoints } of groups) {
    for (const [id, endpoint] of Object.entries(endpoints)) {
      const path = endpoint.path.replace(/:([A-Za-z]+)/g, "{$1}");
      for (const method of methodsOf(endpoint)) {
        const operationId = method === endpoint.method ? id : `${id}ByPatch`;
        const described = operation(endpoint, { id, operationId, tag: title, examples: examplesOf(id) });
        paths[path] = { ...paths[path], [method.toLowerCase()]: described };
      }
    }
  }
  const all: Readonly<Record<string, Endpoint>> = Object.assign({}, ...groups.map((group) => group.endpoints));
  return {
    openapi: "3.1.0",
    info: infoOf(baseUrl),
    externalDocs: { description: "The same for people, with examples to copy", url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl, description: "This instance" }],
    tags: [...groups.map(({ title, description }) => ({ name: title, description })), eventTag],
    "x-tagGroups": tagGroups(groups),
    paths,
    webhooks: eventOperations(),
    components: {
      schemas: {
        ...Object.fromEntries(
          components.map((schema) => [nameOf(schema), isSent(schema) ? sentSchema(schema) : portable(schema)]),
        ),
        ...requestSchemas(all),
        ...eventSchemas(),
        ...errorSchemas(Object.values(all)),
      },
      parameters: headerParameters,
      headers,
      responses: errorBodies(Object.values(all), baseUrl),
      securitySchemes,
    },
  };
}

function infoOf(baseUrl: string): Json {
  const { version, license } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  return {
    title: "Estimation Service",
    version,
    summary: "Estimates of software as decision trees, with honest percentiles",
    description:
      "Estimations as decision trees, their hours with honest percentiles, tasks and signed webhooks. Success bodies carry `data`; error bodies `success: false` and a `message` to match on. Text in requests must not contain NUL, which patterns state, or half a surrogate pair, such as `\\ud800` alone, which patterns cannot state in every language; both get 400 with the code `unstorable`.",
    license: { name: license, identifier: license },
    contact: { name: "Reference and help of this instance", url: `${baseUrl}/docs` },
  };
}

/** Returns the groups of tags, for pages that show a table of contents. */
const tagGroups = (groups: readonly EndpointGroup[]): Json[] =>
  [...Map.groupBy([...groups, { title: eventTag.name, section: "Webhooks" }], ({ section }) => section)].map(
    ([name, tags]) => ({ name, tags: tags.map(({ title }) => title) }),
  );

const securitySchemes = {
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
    description: `An API key, within its scopes: ${Object.keys(scopes).join(", ")}. \`x-required-scope\` of an operation lists those of which the key must have one`,
  },
};

const nameOf = (schema: TSchema): string => (schema as TSchema & { $id: string }).$id;
