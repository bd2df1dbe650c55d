import { type Endpoint, errorsOf } from "../../../contract/endpoint.ts";
import { type ErrorKey, errorKeys, errorRow } from "../../../contract/errors.ts";
import { type Json, portable } from "../../../contract/portable.ts";
import { Shape } from "../../../contract/shapes.ts";
import { faultColumns } from "../../../contract/values/faults.ts";
import { errorBody } from "../response/envelope.ts";
import { headersWith } from "./headers.ts";

/** What any request can run into, whatever its endpoint declares. */
const errorsOfAny = [
  "bad_request",
  "method_not_allowed",
  "header_fields_too_large",
  "transfer_coding_unknown",
  "internal_error",
] as const satisfies readonly ErrorKey[];

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const text = (description: string): Json => ({ type: "string", description });
const constant = (value: string | boolean): Json => ({ type: typeof value, const: value });

/** Returns the schemas of the bodies of the errors of endpoints, and of the rows in them. */
export function errorSchemas(endpoints: readonly Endpoint[]): Json {
  const used = new Set([...errorsOfAny, ...endpoints.flatMap(errorsOf)]);
  const keys = errorKeys.filter((key) => used.has(key));
  return {
    ...Object.fromEntries(keys.map((key) => [schemaName(key), schemaOf(key)])),
    ...Object.fromEntries(
      keys.flatMap((key) => {
        const { columns } = errorRow(key);
        return columns ? [[faultName(key), portable(Shape({ ...faultColumns, ...columns }))]] : [];
      }),
    ),
  };
}

/**
 * Returns the responses, by status, of an operation that can fail with errors `keys`; `errorBodies` has what they refer
 * to. Errors that every request can run into are under the status that the operation has already, or under `default`.
 */
export function errorResponses(keys: readonly ErrorKey[]): Json {
  const byStatus = groupsOf(keys).map((group) => [statusOf(group), refTo(responseName(group))]);
  return { ...Object.fromEntries(byStatus), default: refTo(responseName(othersThan(keys))) };
}

const refTo = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

/** Returns each error response once, however many operations share it; its name lists the errors. */
export function errorBodies(endpoints: readonly Endpoint[], baseUrl: string): Json {
  const groups = endpoints.map(errorsOf).flatMap((keys) => [...groupsOf(keys), othersThan(keys)]);
  return Object.fromEntries(groups.map((group) => [responseName(group), responseOf(group, baseUrl)]));
}

const statusOf = ([key]: readonly ErrorKey[]): number => errorRow(key as ErrorKey).status;

/** Returns the errors by status, each group with those that every request can run into. */
function groupsOf(keys: readonly ErrorKey[]): ErrorKey[][] {
  const statuses = new Set(keys.map((key) => errorRow(key).status));
  const all = new Set([...keys, ...errorsOfAny.filter((key) => statuses.has(errorRow(key).status))]);
  return [...Map.groupBy(all, (key) => errorRow(key).status).values()];
}

/** Returns the errors that every request can run into and whose status none of `keys` has. */
function othersThan(keys: readonly ErrorKey[]): ErrorKey[] {
  const described = new Set(groupsOf(keys).flat());
  return errorsOfAny.filter((key) => !described.has(key));
}

const responseName = (group: readonly ErrorKey[]): string => [...group].sort().join(".");

function responseOf(group: readonly ErrorKey[], baseUrl: string): Json {
  const schemas = group.map((key) => ref(schemaName(key)));
  const status = statusOf(group);
  return {
    description: group.map((key) => `\`${errorRow(key).message}\`: ${errorRow(key).when}`).join("\n\n"),
    headers: headersWith([
      ...(status === 401 ? (["WwwAuthenticate"] as const) : []),
      ...(status === 429 || status === 503 ? (["RetryAfter"] as const) : []),
    ]),
    content: {
      "application/json": {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        examples: Object.fromEntries(
          group.map((key) => [key, { summary: errorRow(key).when, value: exampleOf(key, baseUrl) }]),
        ),
      },
    },
  };
}

/** Returns the body of a response with this error. */
function exampleOf(key: ErrorKey, baseUrl: string): object {
  const { errors, ...more } = errorRow(key).example ?? {};
  return errorBody(key, "1f6d1b0a-6a5c-4f0c-9a53-0d3f0f4a7f11", baseUrl, { ...more, faults: errors });
}

/** Returns a name such as `RevisionMismatchError` for `revision_mismatch`. */
const schemaName = (key: ErrorKey): string =>
  `${key.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase()).replace(/Error$/, "")}Error`;

const faultName = (key: ErrorKey): string => schemaName(key).replace(/Error$/, "Fault");

function schemaOf(key: ErrorKey): Json {
  const { message, code, details, columns, when } = errorRow(key);
  const mustSay = ((details as { required?: unknown[] } | undefined)?.required ?? []).length > 0;
  const coded = (value: string) => ({ code: constant(value), message: constant(message) });
  return {
    type: "object",
    description: when,
    required: [
      ...["success", "message"],
      ...(code ? ["code", "error"] : []),
      ...(columns ? ["errors"] : []),
      ...(mustSay ? ["details"] : []),
      ...["docUrl", "requestId"],
    ],
    properties: {
      success: constant(false),
      message: { ...constant(message), description: "What to match on" },
      ...(code
        ? { code: constant(code), error: { type: "object", required: ["code", "message"], properties: coded(code) } }
        : {}),
      ...(columns ? { errors: { type: "array", minItems: 1, items: ref(faultName(key)) } } : {}),
      ...(details ? { details: portable(details) } : {}),
      hint: text("What usually helps, as text for people"),
      docUrl: { ...text("Where the error is explained"), format: "uri" },
      requestId: text("Names the request in the log; also the header `X-Request-Id`"),
    },
  };
}
