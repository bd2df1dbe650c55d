/** Generates the types of the client's package from the contract: plain TypeScript, which needs nothing but itself. */
import type { TSchema } from "typebox";
import { type DataResponse, type Endpoint, isRepeatable, paramsOf, successesOf } from "../contract/endpoint.ts";
import { errorKeys, errorRow } from "../contract/errors.ts";
import { contract } from "../contract/index.ts";
import { components, Shape } from "../contract/shapes.ts";
import { faultColumns } from "../contract/values/faults.ts";
import { rowsOf } from "./client-routes.ts";

export const CLIENT_TYPES_FILE = "clients/typescript/schema.gen.ts";

/** The keywords of JSON Schema that say of what type a value is. */
interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly default?: unknown;
}

/** Keywords that are no matter of types, or say nothing beside those that are read here. */
const UNREAD = /^(description|readOnly|default|format|pattern|x-.*)$/;

/** Where a type is written: its indentation, and whether callers send it, so that they may give lists that they cannot change. */
interface Place {
  readonly indent: string;
  readonly isSent: boolean;
}

const deeper = ({ indent, isSent }: Place): Place => ({ indent: `${indent}  `, isSent });
const union = (types: readonly string[]): string => [...new Set(types)].join(" | ");

function typeOf(schema: Schema, place: Place): string {
  const { $ref, enum: values, anyOf, type } = schema;
  if ($ref !== undefined) return $ref.slice(0, -1);
  // Where they are too many to list, people are told their form.
  if (values && !("x-form" in schema)) return union(values.map((value) => JSON.stringify(value)));
  if (anyOf) return union(anyOf.map((one) => typeOf(one, place)));
  if (type !== undefined) return union([type].flat().map((name) => plainTypeOf(name, schema, place)));
  const unknown = Object.keys(schema).filter((keyword) => !UNREAD.test(keyword));
  if (unknown.length > 0) throw new Error(`the client's types do not know the keywords ${unknown}`);
  return "unknown";
}

function plainTypeOf(name: string, schema: Schema, place: Place): string {
  if (name === "integer") return "number";
  if (["string", "number", "boolean", "null"].includes(name)) return name;
  if (name === "array") return `${place.isSent ? "Readonly" : ""}Array<${typeOf(schema.items ?? {}, place)}>`;
  if (name === "object") return objectOf(schema, place);
  throw new Error(`the client's types do not know the type ${name}`);
}

function objectOf(schema: Schema, place: Place): string {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema;
  const entries = Object.entries(properties);
  const isNeeded = (name: string) => required.includes(name) && !(place.isSent && hasDefault(properties[name]));
  if (entries.length > 0) {
    const lines = entries.flatMap(([name, value]) => [
      ...docOf(value.description, deeper(place)),
      `${deeper(place).indent}${nameOf(name)}${isNeeded(name) ? "" : "?"}: ${typeOf(value, deeper(place))};`,
    ]);
    return ["{", ...lines, `${place.indent}}`].join("\n");
  }
  const [values = additionalProperties] = Object.values(patternProperties);
  if (typeof values === "object") return `Record<string, ${typeOf(values, place)}>`;
  return values ? "Record<string, unknown>" : "Record<never, never>";
}

/** Whether the service fills it in where it is not sent. */
const hasDefault = (schema: Schema | undefined): boolean => schema !== undefined && "default" in schema;

const nameOf = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

const docOf = (text: string | undefined, { indent }: Place): string[] =>
  text ? [`${indent}/** ${text.replaceAll("*/", "*\\/")} */`] : [];

const OUTER: Place = { indent: "", isSent: false };

/** Returns a component as a type with a name. Those that end with `Input` occur in requests only. */
const describeComponent = (schema: TSchema & { readonly $id: string }): string[] => [
  ...docOf((schema as Schema).description, OUTER),
  `export interface ${schema.$id} ${objectOf(schema as Schema, { indent: "", isSent: schema.$id.endsWith("Input") })}`,
  "",
];

/** Returns the schema of what a call returns: the response to an attempt after the first leaves secrets out. */
function dataOf(data: TSchema, endpoint: Endpoint): Schema {
  const { secrets = [] } = endpoint;
  const schema = data as Schema;
  if (secrets.length === 0 || !isRepeatable(endpoint)) return schema;
  return { ...schema, required: schema.required?.filter((name) => !secrets.includes(name)) };
}

function describeEndpoint([id, endpoint]: readonly [string, Endpoint]): string[] {
  const { method, path, summary, query, body, bodyOptional, response } = endpoint;
  if ("location" in response) return [];
  const sent: Place = { indent: "      ", isSent: true };
  const params = paramsOf(path);
  const canBeLeftOut = ({ required = [], properties }: Schema) =>
    required.every((name) => hasDefault(properties?.[name]));
  const request = [
    ...(params.length > 0 ? [`      params: { ${params.map((name) => `${name}: string`).join("; ")} };`] : []),
    ...(query ? [`      query${canBeLeftOut(query as Schema) ? "?" : ""}: ${typeOf(query as Schema, sent)};`] : []),
    ...(body ? [`      body${bodyOptional ? "?" : ""}: ${typeOf(body as Schema, sent)};`] : []),
  ];
  const rows = rowsOf(endpoint);
  return [
    `  /** ${summary}: \`${method} ${path}\` */`,
    `  ${id}: {`,
    ...(request.length > 0 ? ["    request: {", ...request, "    };"] : ["    request: Record<never, never>;"]),
    ...("file" in response ? ["    file: true;"] : []),
    ...("stream" in response
      ? [`    event: ${typeOf(response.stream as Schema, { indent: "    ", isSent: false })};`]
      : []),
    ...("data" in response ? [`    response: ${successOf(response, endpoint)};`] : []),
    ...(rows === undefined ? [] : [`    rows: "${rows}";`]),
    "  };",
  ];
}

const successOf = (response: DataResponse, endpoint: Endpoint): string =>
  union(
    successesOf(response).map(
      ({ status, data }) => `{ status: ${status}; data: ${typeOf(dataOf(data, endpoint), deeper(deeper(OUTER)))} }`,
    ),
  );

/** Returns the rows of `errors`: what every row has, and what some errors add. */
function describeFault(): string[] {
  const added = Object.assign({}, ...errorKeys.map((key) => errorRow(key).columns ?? {}));
  const { required } = Shape(faultColumns) as Schema;
  const fault: Schema = { properties: { ...added, ...faultColumns }, required };
  return ["/** One fault of a request. */", `export interface Fault ${objectOf(fault, OUTER)}`, ""];
}

const describeError = (key: (typeof errorKeys)[number]): string[] => {
  const { when, details } = errorRow(key);
  return [
    ...docOf(`${when}.`, deeper(OUTER)),
    `  ${key}: ${details ? typeOf(details as Schema, deeper(OUTER)) : "undefined"};`,
  ];
};

/** Returns the file's text. */
export const clientTypes = (): string =>
  [
    "// Generated by `npm run generate` from the contract.",
    "",
    // By name: they are listed in the order in which modules happen to be loaded.
    ...components.toSorted((a, b) => (a.$id < b.$id ? -1 : 1)).flatMap(describeComponent),
    "/** What each call takes and returns. */",
    "export interface Endpoints {",
    ...Object.entries<Endpoint>(contract).flatMap(describeEndpoint),
    "}",
    "",
    ...describeFault(),
    "/** `details` of each error, by its key. */",
    "export interface ErrorDetails {",
    ...errorKeys.flatMap(describeError),
    "}",
    "",
    "export type ErrorKey = keyof ErrorDetails;",
    "",
  ].join("\n");
