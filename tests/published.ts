import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { endpointGroups } from "../contract/index.ts";
import { openApi } from "../server/http/openapi/document.ts";
import { parseTimestamp } from "../server/platform/timestamp.ts";

/** A response as it arrived. */
export interface Received {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  /** The body, if it is JSON or a stream of events. */
  readonly text: string;
}

interface Media {
  readonly schema: object;
  /** Of the data of each event, where the body is a stream of events. */
  readonly "x-itemSchema"?: object;
}

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Described>>;
}

/** The parts of a description that say what responses look like. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
}

/** The description as clients get it. */
export const published = (): Description =>
  JSON.parse(JSON.stringify(openApi(endpointGroups, "http://127.0.0.1:3000")));

const BASE = "https://description.example/schemas";

/**
 * The schemas of a description as JSON Schema, for validators that know nothing of OpenAPI. Errors are closed here: clients
 * have to accept fields that are added to them later, but the service may not send any that the description lacks.
 */
function schemasOf({ components }: Description): object {
  const isError = (name: string) => name.endsWith("Error");
  const closed = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    isError(name) ? { ...schema, additionalProperties: false } : schema,
  ]);
  return withoutOpenApi({ $id: BASE, $defs: Object.fromEntries(closed) });
}

/**
 * One schema for objects that hold responses by the name of their description, for checking many responses of many kinds at
 * once.
 */
export function schemaOfResponses(description: Description): object {
  const { paths, components } = description;
  const named = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, { content }]) => [`${operationId} ${status}`, content] as const),
    );
  const shared = Object.entries(components.responses).map(([name, { content }]) => [name, content] as const);
  const schemas = [...named, ...shared].flatMap(([name, content = {}]) =>
    Object.entries(content).flatMap(([type, media]) => {
      const events = media["x-itemSchema"];
      if (events) return [[`${name} event`, withoutOpenApi(events)] as const];
      return type === "application/json" ? [[name, withoutOpenApi(media.schema)] as const] : [];
    }),
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schemasOf(description),
    type: "object",
    properties: Object.fromEntries(schemas),
    additionalProperties: false,
  };
}

/** A part of a description as JSON Schema that refers to `schemasOf`. */
const withoutOpenApi = (part: object): object =>
  JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', `"${BASE}#/$defs/`));

/** What a description says of the JSON in a response: its name, unique in the description, and its schema. */
export interface Expected {
  readonly name: string;
  /** As it stands in the description. */
  readonly schema: object;
  /** The JSON texts in the body: the body itself, or the data of each event. */
  readonly texts: readonly string[];
}

/** A way to look a response up in a description. Throws where the description does not foresee it. */
export function lookUp({ paths, components }: Description): (received: Received) => Expected | null {
  const routes = Object.entries(paths)
    .map(([path, operations]) => ({
      operations,
      pattern: new RegExp(`^${path.replace(/\{[A-Za-z]+\}/g, "[^/]+")}$`),
      path,
    }))
    .sort((a, b) => parametersIn(a.path) - parametersIn(b.path));
  return ({ method, path, status, contentType, text }) => {
    const operation = routes.find(({ pattern }) => pattern.test(path))?.operations[method.toLowerCase()];
    if (!operation) return null;
    const found = operation.responses[status] ?? operation.responses.default;
    const name = `${operation.operationId} ${status}`;
    if (!found) throw new Error(`${name}: the status is not described`);
    const shared = found.$ref?.replace("#/components/responses/", "");
    const { content } = (shared === undefined ? found : components.responses[shared]) as Described;
    if (content === undefined) {
      if (contentType !== null) throw new Error(`${name}: a body is not described`);
      return null;
    }
    const type = contentType?.split(";")[0] ?? "";
    const media = content[type];
    if (!media) throw new Error(`${name}: the content type "${type}" is not described`);
    const events = media["x-itemSchema"];
    if (events) return { name: `${name} event`, schema: events, texts: dataOf(text) };
    return type === "application/json" ? { name: shared ?? name, schema: media.schema, texts: [text] } : null;
  };
}

/** The data of the events in the text of a stream. */
const dataOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice("data: ".length)] : []));

const parametersIn = (path: string): number => path.split("{").length;

/**
 * A check of responses by a description alone, as clients with a stock validator do it: Ajv for the dialect of OpenAPI 3.1,
 * as strict as it is by default. It returns what the description says, or null where it says nothing of the path, and throws
 * where the response is another one.
 */
export function createJudge(description: Description): (received: Received) => Expected | null {
  // Where a value may have one of several types, the default is to print a remark.
  // Optimizing the code of its checks would take two thirds of compiling them.
  const ajv = new Ajv2020({ logger: false, code: { optimize: false } });
  formats.default(ajv);
  // Of the forms of RFC 3339 the service writes one.
  ajv.addFormat("date-time", (text: string) => parseTimestamp(text)?.toISOString() === text);
  ajv.addSchema(schemasOf(description));
  const find = lookUp(description);
  const checks = new Map<string, ValidateFunction>();
  return (received) => {
    const expected = find(received);
    if (!expected) return null;
    const { name, schema, texts } = expected;
    const check = checks.get(name) ?? ajv.compile(withoutOpenApi(schema));
    checks.set(name, check);
    for (const text of texts) {
      if (check(JSON.parse(text))) continue;
      const { method, path, status } = received;
      const faults = ajv.errorsText(check.errors);
      throw new Error(`${method} ${path} ${status}: the description refuses the response (${name}): ${faults}`);
    }
    return expected;
  };
}
