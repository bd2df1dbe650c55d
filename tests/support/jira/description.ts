import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";

type Json = { readonly [name: string]: unknown };
interface Operation {
  readonly query: readonly string[];
  readonly body: readonly string[];
  readonly request: Json | null;
  readonly response: Json | null;
}

/** A request as a current client of Jira knows it. */
export interface Described {
  /** Such as `PUT /rest/api/3/issue/{issueIdOrKey}`. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

const file = JSON.parse(readFileSync(new URL("./description.gen.json", import.meta.url), "utf8")) as {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly document: Json;
};

const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

function judge(key: string, value: unknown, schemaOf: () => Json): string[] {
  const validate = compiled.get(key) ?? ajv.compile(schemaOf());
  compiled.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${key}${instancePath}: ${message} ${JSON.stringify(params)}`);
}

/** Judges requests and responses by a client's description of Jira. Names that it does not contain are faults. */
export const description = {
  request(method: string, path: string, query: URLSearchParams, body: unknown): Described | null {
    const reached = locate(method, path);
    if (!reached) return null;
    const { name, params } = reached;
    const operation = file.operations[name] as Operation;
    const faults = [...query.keys()]
      .filter((key) => !operation.query.includes(key))
      .map((key) => `${name}: the query has the unknown ${key}`);
    if (body === undefined) {
      if (operation.body.length > 0) faults.push(`${name}: needs a body`);
    } else {
      for (const key of Object.keys(body as object))
        if (!operation.body.includes(key)) faults.push(`${name}: the body has the unknown ${key}`);
      // The client mixes the parameters of the path with those of the body.
      if (operation.request)
        faults.push(
          ...judge(`${name} body`, { ...params, ...(body as object) }, () => closed(operation.request as Json)),
        );
    }
    return { operation: name, params, faults };
  },

  /** Returns what is wrong with a response of the fake itself. */
  response(operation: string, status: number, json: unknown): string[] {
    const response = file.operations[operation]?.response;
    return response && status < 300 ? judge(`${operation} ${status}`, json, () => without(response)) : [];
  },

  /** Returns what is wrong with a document, by Atlassian's own schema. */
  document: (document: unknown): string[] => judge("document", document, () => without(file.document)),
};

/** Finds the operation of a path; one with fewer parameters comes first. */
function locate(method: string, path: string) {
  const segments = path.split("/");
  let best: { name: string; params: Record<string, string> } | null = null;
  for (const name of Object.keys(file.operations)) {
    const [of = "", template = ""] = name.split(" ");
    const parts = template.split("/");
    if (of !== method || parts.length !== segments.length) continue;
    const params: Record<string, string> = {};
    const fits = parts.every((part, at) => {
      const segment = segments[at] ?? "";
      if (!part.startsWith("{")) return part === segment;
      params[part.slice(1, -1)] = decodeURIComponent(segment);
      return segment !== "";
    });
    if (fits && (!best || Object.keys(params).length < Object.keys(best.params).length)) best = { name, params };
  }
  return best;
}

const without = ({ $schema: _, ...schema }: Json): Json => schema;

/** Returns a schema that refuses undeclared properties. */
function closed(schema: Json): Json {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== "object" || value === null) return value;
    const converted = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convert(inner)]));
    return converted.type === "object" && converted.properties !== undefined
      ? { ...converted, additionalProperties: false }
      : converted;
  };
  return convert(without(schema)) as Json;
}
