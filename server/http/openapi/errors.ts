import Type from "typebox";
import { type Endpoint, errorsOf } from "../../../contract/endpoint.ts";
import { type ErrorKey, errorKeys, errorRow } from "../../../contract/errors.ts";
import { faultColumns } from "../../../contract/faults.ts";
import { type Json, json, portable } from "./portable.ts";

const text = { type: "string" };

const ERROR: Json = {
  type: "object",
  required: ["success", "message", "docUrl", "requestId"],
  properties: {
    success: { const: false },
    message: { type: "string", description: "What to match on" },
    code: text,
    error: { type: "object", required: ["code", "message"], properties: { code: text, message: text } },
    errors: {
      type: "array",
      items: portable(Type.Object(faultColumns)),
    },
    details: { type: "object" },
    hint: { type: "string", description: "What usually helps, for people" },
    docUrl: { type: "string", description: "Where the error is explained" },
    requestId: text,
  },
};

/**
 * Returns the schemas of error bodies: `Error` for any error, and one for each error that declares details or columns.
 */
export const errorSchemas = (): Json => ({
  Error: ERROR,
  ...Object.fromEntries(errorKeys.filter(isSpecial).map((key) => [schemaName(key), specialSchema(key)])),
});

/**
 * Returns the responses, by status, of an operation that can fail with errors `keys`; `errorBodies` has the schemas
 * that they refer to.
 */
export function errorResponses(keys: readonly ErrorKey[]): Json {
  const byStatus = Map.groupBy(keys, (key) => errorRow(key).status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, { $ref: `#/components/responses/${responseName(group)}` }]),
  );
}

/** Returns each error response once, however many operations share it; its name lists the errors. */
export function errorBodies(rows: readonly Endpoint[]): Json {
  const groups = rows.flatMap((row) => [...Map.groupBy(errorsOf(row), (key) => errorRow(key).status).values()]);
  return Object.fromEntries(
    groups.map((group) => [
      responseName(group),
      {
        description: group.map((key) => `\`${errorRow(key).message}\`: ${errorRow(key).when}`).join("\n\n"),
        content: json(bodyOf(group)),
      },
    ]),
  );
}

const responseName = (group: readonly ErrorKey[]): string => [...group].sort().join(".");

function bodyOf(group: readonly ErrorKey[]): Json {
  const plain = group.filter((key) => !isSpecial(key));
  const schemas: Json[] = group.filter(isSpecial).map((key) => ({ $ref: `#/components/schemas/${schemaName(key)}` }));
  if (plain.length > 0) schemas.unshift(anyOf(plain));
  return schemas.length === 1 ? (schemas[0] as Json) : { oneOf: schemas };
}

/** Returns the schema of a body with any of the errors `keys`. */
const anyOf = (keys: readonly ErrorKey[], more: Json = {}): Json => ({
  allOf: [{ $ref: "#/components/schemas/Error" }],
  properties: { message: { enum: keys.map((key) => errorRow(key).message) }, ...more },
});

/** Returns whether an error's body has more than every error body has. */
const isSpecial = (key: ErrorKey): boolean => {
  const { details, columns } = errorRow(key);
  return details !== undefined || columns !== undefined;
};

/** Returns a name such as `RevisionMismatchError` for `revision_mismatch`. */
const schemaName = (key: ErrorKey): string =>
  `${key.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Error`;

function specialSchema(key: ErrorKey): Json {
  const { details, columns } = errorRow(key);
  const hasDetails = ((details as { required?: unknown[] } | undefined)?.required ?? []).length > 0;
  return {
    ...anyOf([key], {
      ...(details ? { details: portable(details) } : {}),
      ...(columns ? { errors: { type: "array", items: { type: "object", properties: portable(columns) } } } : {}),
    }),
    ...(hasDetails ? { required: ["details"] } : {}),
  };
}
