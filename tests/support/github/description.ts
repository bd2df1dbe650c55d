import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";

/** A request as GitHub's description knows it. */
export interface Described {
  /** Such as `POST /repos/{owner}/{repo}/issues`. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

export interface AskedRequest {
  readonly method: string;
  /** Without the query, as in the description. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** undefined: none. */
  readonly body: unknown;
}

type Json = { readonly [name: string]: unknown };
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Json;
}
interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}
interface Document {
  /** The package that it was cut out of. */
  readonly source: { readonly package: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Json>>;
  };
}

let read: Document | undefined;
/** The part of GitHub's description that exports use. Each process reads it once, at its first use. */
const document = (): Document => {
  read ??= JSON.parse(readFileSync(new URL("./description.gen.json", import.meta.url), "utf8")) as Document;
  return read;
};

const strict = new Ajv({ strict: false, allErrors: true });
/** For values in addresses, which are all text. */
const coercing = new Ajv({ strict: false, coerceTypes: true });
for (const one of [strict, coercing]) formats.default(one);
/** Compiling the schema of an issue takes a quarter of a second. */
const compiled = new Map<string, ValidateFunction>();

function judge(key: string, value: unknown, schemaOf: () => Json, by: Ajv = strict): string[] {
  const validate = compiled.get(key) ?? by.compile(schemaOf());
  compiled.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${key}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

const judgeText = (key: string, value: string | undefined, { schema }: Parameter): string[] =>
  judge(key, { value }, () => ({ properties: { value: jsonSchema(schema, true) } }), coercing);

/** Judges requests and responses by GitHub's own description. Names that it does not declare are faults. */
export const description = {
  request({ method, path, query, body }: AskedRequest): Described | null {
    const reached = locate(method, path);
    if (!reached) return null;
    const { template, params, operation } = reached;
    const name = `${method} ${template}`;
    const parameters = (operation.parameters ?? []).map((one) =>
      "$ref" in one ? (document().components.parameters[one.$ref.split("/").at(-1) ?? ""] as Parameter) : one,
    );
    const faults = [...query].flatMap(([key, value]) => {
      const parameter = parameters.find((one) => one.in === "query" && one.name === key);
      return parameter
        ? judgeText(`${name} ?${key}`, value, parameter)
        : [`${name}: the query has the undeclared ${key}`];
    });
    for (const parameter of parameters.filter((one) => one.in === "path"))
      faults.push(...judgeText(`${name} {${parameter.name}}`, params[parameter.name], parameter));
    const schema = operation.requestBody?.content["application/json"]?.schema;
    if (body !== undefined && !schema) faults.push(`${name}: takes no body`);
    if (schema) faults.push(...judge(`${name} body`, body, () => jsonSchema(schema, true)));
    return { operation: name, params, faults };
  },

  /** The package that it comes from, and the operations that it knows. */
  origin() {
    const { source, paths } = document();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    return { name: source.package, version: source.version, operations };
  },

  /** Returns the smallest response that the description accepts from an operation. */
  sample(schema: string): Readonly<Record<string, unknown>> {
    return sampleOf({ $ref: schema }) as Readonly<Record<string, unknown>>;
  },

  /** Returns what is wrong with a response of the fake itself. */
  response(operation: string, status: number, json: unknown): string[] {
    const [method = "", template = ""] = operation.split(" ");
    const response = document().paths[template]?.[method.toLowerCase()]?.responses[status];
    if (!response) return [];
    const schema = response.content?.["application/json"]?.schema;
    return schema ? judge(`${operation} ${status}`, json, () => jsonSchema(schema, false)) : [];
  },
};

/** Finds the operation of a path; one with fewer parameters comes first. */
function locate(method: string, path: string) {
  const segments = path.split("/");
  let best: { template: string; params: Record<string, string>; operation: Operation } | null = null;
  for (const [template, operations] of Object.entries(document().paths)) {
    const operation = operations[method.toLowerCase()];
    const parts = template.split("/");
    if (!operation || parts.length !== segments.length) continue;
    const params: Record<string, string> = {};
    const fits = parts.every((part, at) => {
      const segment = segments[at] ?? "";
      if (!part.startsWith("{")) return part === segment;
      params[part.slice(1, -1)] = decodeURIComponent(segment);
      return segment !== "";
    });
    if (fits && (!best || Object.keys(params).length < Object.keys(best.params).length))
      best = { template, params, operation };
  }
  return best;
}

/** Keywords whose values are no schemas. */
const LITERAL: ReadonlySet<string> = new Set(["enum", "default", "required"]);

const mapped = (value: Json, each: (inner: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, each(inner)]));

/** Returns the smallest value that a schema accepts. */
function sampleOf(schema: Json): unknown {
  const { $ref, nullable, allOf, anyOf, oneOf, properties, required, type, format } = schema as Json & {
    $ref?: string;
    allOf?: readonly Json[];
    anyOf?: readonly Json[];
    oneOf?: readonly Json[];
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
  };
  if ($ref) return sampleOf(document().components.schemas[$ref.split("/").at(-1) ?? ""] ?? {});
  if (nullable === true) return null;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return sampleOf(alternatives[0] ?? {});
  if (type === "array") return [];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return false;
  if (type === "string") return FORMATS[String(format)] ?? "x";
  const own = (required ?? []).map((name) => [name, sampleOf(properties?.[name] ?? {})]);
  return Object.assign({}, ...(allOf ?? []).map(sampleOf), Object.fromEntries(own));
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: "https://api.github.com/x",
  "date-time": "2027-01-31T12:00:00Z",
  email: "me@example.com",
};

/** Returns a schema of OpenAPI 3.0, with those that it refers to, as JSON Schema; `closed`: it refuses undeclared properties. */
function jsonSchema(schema: Json, closed: boolean): Json {
  const definitions: Record<string, unknown> = {};
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== "object" || value === null) return value;
    const { nullable, $ref, example: _, ...rest } = value as Json;
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1) ?? "";
      if (!(name in definitions)) {
        definitions[name] = true;
        definitions[name] = convert(document().components.schemas[name]);
      }
      return { $ref: `#/definitions/${name}` };
    }
    const converted: Record<string, unknown> = Object.fromEntries(
      Object.entries(rest)
        .filter(([key]) => !key.startsWith("x-"))
        .map(([key, inner]) => [
          key,
          key === "properties" ? mapped(inner as Json, convert) : LITERAL.has(key) ? inner : convert(inner),
        ]),
    );
    if (closed && converted.properties !== undefined && converted.additionalProperties === undefined)
      converted.additionalProperties = false;
    return nullable === true ? { anyOf: [converted, { type: "null" }] } : converted;
  };
  const root = convert(schema) as Json;
  return { allOf: [root], definitions };
}
