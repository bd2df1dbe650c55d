import { queryOptions } from "@tanstack/react-query";
import { responseOf } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";

/** A schema of the description: only the words that are shown. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

/** An operation as the description has it. */
interface Row {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly "x-required-scope"?: readonly string[];
  readonly "x-required-access"?: readonly string[];
}

export interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly "x-tagGroups": readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Row>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One request of the API. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Who may send it. */
  readonly credential: "none" | "session" | "any";
  readonly scopes: readonly string[];
  readonly access: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly responses: readonly (readonly [status: string, response: Response])[];
}

/** Returns what a reference such as `#/components/schemas/Task` names, or the value itself. */
export function resolve<T>({ components }: Description, value: T | { readonly $ref: string }): T {
  const ref = (value as { readonly $ref?: string }).$ref;
  if (ref === undefined) return value as T;
  const [, , kind = "", name = ""] = ref.split("/");
  return components[kind]?.[name] as T;
}

function operationOf(description: Description, path: string, method: string, row: Row): Operation {
  const kinds = row.security.flatMap((kind) => Object.keys(kind));
  return {
    id: row.operationId,
    method: method.toUpperCase(),
    path,
    tag: row.tags[0] ?? "",
    summary: row.summary,
    description: row.description ?? "",
    credential: kinds.length === 0 ? "none" : kinds.includes("apiKey") ? "any" : "session",
    scopes: row["x-required-scope"] ?? [],
    access: row["x-required-access"] ?? [],
    parameters: (row.parameters ?? []).map((one) => resolve<Parameter>(description, one)),
    body: row.requestBody?.content["application/json"],
    responses: Object.entries(row.responses).map(([status, one]) => [status, resolve<Response>(description, one)]),
  };
}

/** All operations, in the order of the description's tags. */
function operationsOf(description: Description): readonly Operation[] {
  const all = Object.entries(description.paths).flatMap(([path, rows]) =>
    Object.entries(rows).map(([method, row]) => operationOf(description, path, method, row)),
  );
  const order = description["x-tagGroups"].flatMap(({ tags }) => tags);
  return all.toSorted((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag));
}

/** Returns the operations that have all words of `search` in their name, path, method or texts. */
export function find(operations: readonly Operation[], search: string): readonly Operation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ id, method, path, tag, summary, description }) => {
    const text = [id, method, path, tag, summary, description].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export const describe = queryOptions({
  queryKey: keys.description,
  queryFn: async () => {
    const response = await responseOf(fetch("/api/openapi.json"));
    if (!response.ok) throw new Error(`the description returned ${response.status}`);
    const description = (await response.json()) as Description;
    return { description, operations: operationsOf(description) };
  },
  staleTime: Number.POSITIVE_INFINITY,
});
