import type { TSchema } from "typebox";
import { type Endpoint, isRepeatable, lackingScope, paramsOf } from "../../contract/endpoint.ts";
import { components, endpointEntries } from "../../contract/index.ts";
import { limits } from "../../contract/limits.ts";
import { meaningOf } from "../../contract/param-meaning.ts";
import { type Json, portable } from "../../contract/portable.ts";

/** Arguments of tools that become headers, or say which part of a long result is wanted. */
export const REVISION = "ifRevision";
export const IDEMPOTENCY_KEY = "idempotencyKey";
export const RESULT_CURSOR = "resultCursor";

/** An endpoint that language models may call. */
export interface ToolEntry {
  readonly name: string;
  readonly endpoint: Endpoint;
}

const toolNameOf = (id: string): string => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every tool, in the order of the documentation. */
export const tools: readonly ToolEntry[] = endpointEntries
  .filter(([, { tool }]) => tool !== undefined)
  .map(([id, endpoint]) => ({ name: toolNameOf(id), endpoint }));

const byName = new Map(tools.map((entry) => [entry.name, entry]));

/** Returns the tool of a name; undefined if there is none. */
export const findTool = (name: string): ToolEntry | undefined => byName.get(name);

/** Returns the tools that a key with these scopes may call, as `tools/list` describes them. */
export const toolsFor = (scopes: readonly string[]) =>
  tools
    .filter(({ endpoint }) => lackingScope(endpoint.access, scopes) === null)
    .map(({ name }) => descriptions.get(name) as ToolDescription);

type ToolDescription = ReturnType<typeof describe>;

function describe({ name, endpoint }: ToolEntry) {
  const { method, summary, description, tool } = endpoint;
  const readOnly = changesNothing(endpoint);
  return {
    name,
    title: tool?.only ? (tool.only.description.split(/[,:.]/)[0] as string) : summary,
    description: tool?.only?.description ?? [summary, description].filter(Boolean).join(". "),
    inputSchema: inputSchemaOf(endpoint),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: tool?.destructive === true,
      idempotentHint: readOnly || method === "PUT" || method === "DELETE",
      openWorldHint: false,
    },
  };
}

/** Whether calls of an endpoint only read. */
export const changesNothing = ({ method, transaction, right, access }: Endpoint): boolean =>
  method === "GET" || (transaction === false && (right === "read" || access === "estimations:read"));

/** Returns the schema of a tool's arguments: parameters of the path, of the query, and fields of the body side by side. */
function inputSchemaOf(endpoint: Endpoint) {
  const { path, query, body, tool, bodyOptional, ifMatch } = endpoint;
  const used = new Set<string>();
  const refTo = (name: string): string => {
    used.add(name);
    return `#/$defs/${name}`;
  };
  const sent = [query, bodyOptional ? { ...body, required: [] } : body].map((schema) => fieldsOf(schema, refTo));
  const properties: Json = {
    ...Object.fromEntries(paramsOf(path).map((name) => [name, param(endpoint, name)])),
    ...sent[0]?.properties,
    ...sent[1]?.properties,
    ...(ifMatch ? { [REVISION]: revision } : {}),
    ...(isRepeatable(endpoint) ? { [IDEMPOTENCY_KEY]: idempotencyKey } : {}),
    ...(changesNothing(endpoint) ? { [RESULT_CURSOR]: resultCursor } : {}),
  };
  const required = [...paramsOf(path), ...sent.flatMap((fields) => fields.required)];
  for (const name of Object.keys(tool?.only?.send ?? {})) delete properties[name];
  return {
    type: "object" as const,
    properties: properties as Record<string, object>,
    required: required.filter((name) => name in properties),
    additionalProperties: false,
    ...(used.size > 0 ? { $defs: definitions(used, refTo) } : {}),
  };
}

const param = (endpoint: Endpoint, name: string): Json => ({
  type: "string",
  pattern: "^\\w+$",
  description: meaningOf(endpoint, name),
});

const revision = {
  type: "integer",
  minimum: 1,
  description:
    "The revision of the estimation that the change is meant for: refused (412) if it is not the current one",
};
const idempotencyKey = {
  type: "string",
  minLength: 1,
  maxLength: limits.idempotencyKeyLength,
  description: "Any text that names this call: calling again with the same key and arguments is carried out once",
};
const resultCursor = {
  type: "string",
  description: "From the end of a result that was cut: the same call with it returns the next part",
};

/** Returns the fields of an object's schema that callers set, and which of them are required. */
function fieldsOf(schema: unknown, refTo: (name: string) => string): { properties: Json; required: string[] } {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: string[] };
  const set = Object.entries(properties).filter(([, value]) => !(value as { readOnly?: boolean }).readOnly);
  return { properties: Object.fromEntries(set.map(([name, value]) => [name, portable(value, refTo)])), required };
}

/** Returns the components that a schema refers to, and those that these refer to. */
function definitions(used: Set<string>, refTo: (name: string) => string): Json {
  const all: Json = {};
  // Grows while it is read.
  for (const name of used) {
    const component = components.find(({ $id }) => $id === name) as TSchema;
    all[name] = portable(component, refTo);
  }
  return all;
}

/** Made once: the schemas of all tools are some 200 KB. */
const descriptions = new Map(tools.map((entry) => [entry.name, describe(entry)]));
