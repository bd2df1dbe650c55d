import Type, { type TSchema } from "typebox";
import { paramsOf } from "../../../contract/endpoint.ts";
import { inTurn } from "../../platform/compute.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import { fail, failWith } from "../failure.ts";
import { listParametersOf, splitLists } from "../validation/list-parameters.ts";
import { pointer } from "../validation/pointer.ts";
import { isStorable } from "../validation/storable.ts";
import { API_KEY_PREFIX } from "./identify-caller.ts";
import { type Check, nothing, type Step } from "./step.ts";

/** Refuses (404) an id in the path that no record can have. */
export const checkIds: Step<Check> = ({ path, secretParam }) => {
  const names = paramsOf(path).filter((name) => name !== secretParam);
  if (names.length === 0) return null;
  return ({ params }) => {
    for (const name of names) if (!isWellFormedId((params as Record<string, string>)[name] ?? "")) fail("not_found");
  };
};

/** Refuses (400) a body that breaks the endpoint's schema, or is missing and not optional; fills in defaults. */
export const checkBody: Step<Check> = ({ body, bodyOptional }, { validation }) => {
  const check = validation.body(body ?? nothing);
  return (request) => {
    if (bodyOptional && request.body === undefined) request.body = {};
    if (request.body !== undefined) return inTurn(request.bodyBytes, () => check(request.body));
    if (body) failWith([{ path: "", in: "body", code: "required", message: "a JSON body is required" }]);
  };
};

/** Refuses (400) a query that breaks the endpoint's schema; converts text to numbers and lists, and fills in defaults. */
export const checkQuery: Step<Check> = (endpoint, { validation }) => {
  const check = validation.query(endpoint.query ?? nothing);
  const lists = listParametersOf(endpoint.query ?? nothing);
  const open = openParametersOf(endpoint.query ?? nothing);
  return (request) => {
    if (!isDecodable(request.url))
      failWith([{ path: "", in: "query", code: "wrong_format", message: "must be percent-encoded UTF-8" }]);
    const query = request.query as Record<string, unknown>;
    refuseKeys(query);
    refuseRepeated(query, open);
    if (lists.length > 0) splitLists(query, request.url, lists);
    if (endpoint.query || Object.keys(query).length > 0) check(query);
    for (const [name, value] of Object.entries(query)) {
      if ([value].flat().some((one) => typeof one === "string" && !isStorable(one)))
        failWith([
          { path: pointer([name]), in: "query", code: "unstorable", message: "must not hold a NUL character" },
        ]);
    }
  };
};

/** If a name occurs several times, a proxy might use another of its values than the service does. */
function refuseRepeated(query: Record<string, unknown>, open: ReadonlySet<string>): void {
  const names = Object.keys(query).filter((name) => Array.isArray(query[name]) && !open.has(name));
  const message = "must be given once; where a parameter takes several values, separate them with commas";
  if (names.length > 0)
    failWith(names.map((name) => ({ path: pointer([name]), in: "query", code: "repeated", message })));
}

/** Returns the parameters for which the endpoint allows any value, also a repeated one: their handler judges it. */
function openParametersOf(query: TSchema): ReadonlySet<string> {
  const properties = Type.IsObject(query) ? Object.entries(query.properties) : [];
  return new Set(properties.filter(([, schema]) => Type.IsUnknown(schema)).map(([name]) => name));
}

/** Returns whether the query of an address can be decoded; the parser leaves invalid escapes unchanged. */
function isDecodable(url: string): boolean {
  const at = url.indexOf("?");
  if (at < 0 || !url.includes("%", at)) return true;
  try {
    decodeURIComponent(url.slice(at));
    return true;
  } catch {
    return false;
  }
}

/**
 * Addresses are stored in histories, logs and referrers: an API key in one is refused without a look-up, and not
 * repeated in the response.
 */
function refuseKeys(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    const inName = name.includes(API_KEY_PREFIX);
    if (!inName && !String(value).includes(API_KEY_PREFIX)) continue;
    const message = "holds an API key, which belongs in the Authorization header only; rotate it";
    failWith([{ path: inName ? "" : pointer([name]), in: "query", code: "secret_in_address", message }]);
  }
}
