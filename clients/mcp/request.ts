import { type Endpoint, paramsOf } from "../../contract/endpoint.ts";
import { IDEMPOTENCY_KEY, RESULT_CURSOR, REVISION } from "./tools.ts";

/** A request of the API. */
export interface ToolRequest {
  readonly method: Endpoint["method"];
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined for none. */
  readonly body: string | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

/** What an id consists of. Anything else could lead to another path, such as `..`. */
const ID = /^\w{1,100}$/;

/**
 * Returns the request that a call of a tool stands for. Arguments that the endpoint does not know are sent too, so that it refuses
 * them. Returns the name of the parameter of the path whose value cannot be an id, if there is one.
 */
export function requestOf(endpoint: Endpoint, given: Arguments): ToolRequest | { readonly notAnId: string } {
  const names = paramsOf(endpoint.path);
  const notAnId = names.find((name) => typeof given[name] !== "string" || !ID.test(given[name]));
  if (notAnId !== undefined) return { notAnId };
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) => String(given[name]));
  const apart = new Set([...names, REVISION, IDEMPOTENCY_KEY, RESULT_CURSOR]);
  const asked = Object.entries({ ...given, ...endpoint.tool?.only?.send }).filter(([name]) => !apart.has(name));
  const queried = ({ properties = {} }: { properties?: object }, name: string) => name in properties;
  const inQuery = asked.filter(([name]) => endpoint.method === "GET" || queried(endpoint.query ?? {}, name));
  const inBody = asked.filter((one) => !inQuery.includes(one));
  const query = inQuery.map(([name, value]) => `${encodeURIComponent(name)}=${queryValue(value)}`).join("&");
  const hasBody = endpoint.body !== undefined || inBody.length > 0;
  return {
    method: endpoint.method,
    url: query === "" ? path : `${path}?${query}`,
    headers: {
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...(given[REVISION] === undefined ? {} : { "if-match": `"${String(given[REVISION])}"` }),
      ...(given[IDEMPOTENCY_KEY] === undefined ? {} : { "idempotency-key": String(given[IDEMPOTENCY_KEY]) }),
    },
    body: hasBody ? JSON.stringify(Object.fromEntries(inBody)) : undefined,
  };
}

/** Lists are separated by commas; a comma in a value is encoded. */
function queryValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(queryValue).join(",");
  return encodeURIComponent(typeof value === "object" ? JSON.stringify(value) : String(value));
}
