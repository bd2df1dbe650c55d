import Type, { type TSchema } from "typebox";
import { errorsOf } from "../contract/endpoint.ts";
import { errorKeys, errorRow } from "../contract/errors.ts";
import { endpointEntries } from "../contract/index.ts";
import { Shape } from "../contract/shapes.ts";
import { faultColumns } from "../contract/values/faults.ts";
import { createAjv } from "../server/http/validation/schema-checks.ts";
import { parseTimestamp } from "../server/platform/timestamp.ts";

const ajv = createAjv({ allErrors: true });
// The service writes instants in one form only.
ajv.addFormat("date-time", (text: string) => parseTimestamp(text)?.toISOString() === text);

/** Throws if `data` of a response differs from what its endpoint declares: serialising alone would silently drop fields. */
export function checkResponse(id: string, schema: TSchema, data: unknown): void {
  const check = ajv.compile(schema);
  if (!check(data)) throw new Error(`${id} returns what it does not declare: ${ajv.errorsText(check.errors)}`);
}

/** Errors that any request can cause, whatever its endpoint declares. */
const ALWAYS = ["bad_request", "method_not_allowed", "internal_error"];

const declared = endpointEntries.map(([id, endpoint]) => ({
  id,
  method: endpoint.method,
  pattern: new RegExp(`^${endpoint.path.replace(/:[A-Za-z]+/g, "[^/]+")}$`),
  declared: new Set([...ALWAYS, ...errorsOf(endpoint).map((key) => errorRow(key).message)]),
}));

/** Throws if the endpoint of this method and path does not declare an error response, or the response has undeclared details. */
export function checkError(method: string, url: string, body: ErrorResponse): void {
  const { message } = body;
  checkParticulars(body);
  const path = url.split("?", 1)[0] ?? "";
  const endpoint = declared.find((candidate) => candidate.method === method && candidate.pattern.test(path));
  if (endpoint && !endpoint.declared.has(String(message)))
    throw new Error(`${endpoint.id} returns ${message}, which it does not declare`);
}

/** An error response as it was received. */
interface ErrorResponse {
  readonly message?: unknown;
  readonly details?: unknown;
  readonly errors?: unknown;
}

/** Throws if `details` or the rows of `errors` differ from what their error declares. */
function checkParticulars({ message, details, errors }: ErrorResponse): void {
  const particulars = particularsOf.get(String(message));
  if (!particulars) throw new Error(`${message} is not a declared error`);
  const { mayLackDetails } = particulars;
  if (details === undefined ? !mayLackDetails : !ajv.validate(particulars.details, details))
    throw new Error(`${message} has details that it does not declare: ${JSON.stringify(details)}`);
  if (errors === undefined && particulars.needsRows) throw new Error(`${message} has no rows in \`errors\``);
  if (errors !== undefined && !ajv.validate(particulars.rows, errors))
    throw new Error(`${message} has undeclared rows: ${ajv.errorsText()}`);
}

/** What an error responses beside its message, by the message. */
const particularsOf = new Map(
  errorKeys.map((key) => {
    const { message, details, columns } = errorRow(key);
    const required = (details as { required?: unknown[] } | undefined)?.required ?? [];
    const rows = Type.Array(Shape({ ...faultColumns, ...columns }), { minItems: 1 });
    const mayLackDetails = required.length === 0;
    return [
      message,
      { details: details ?? { not: {} }, mayLackDetails, rows, needsRows: columns !== undefined },
    ] as const;
  }),
);
