import Type, { type TSchema } from "typebox";
import { errorsOf } from "../contract/endpoint.ts";
import { errorKeys, errorRow } from "../contract/errors.ts";
import { faultColumns } from "../contract/faults.ts";
import { endpointRows } from "../contract/index.ts";
import { Shape } from "../contract/shapes.ts";
import { createAjv } from "../server/http/schema-checks.ts";
import { parseTimestamp } from "../server/platform/timestamp.ts";

const ajv = createAjv({ allErrors: true });
// The service writes instants in one form only.
ajv.addFormat("date-time", (text: string) => parseTimestamp(text)?.toISOString() === text);

/** Throws if `data` of an answer differs from what its row declares: serialising alone would silently drop fields. */
export function checkReply(id: string, schema: TSchema, data: unknown): void {
  const check = ajv.compile(schema);
  if (!check(data)) throw new Error(`${id} answers what it does not declare: ${ajv.errorsText(check.errors)}`);
}

/** Errors that any request can cause, whatever its row declares. */
const ALWAYS = ["bad_request", "method_not_allowed", "internal_error"];

/** Throws if the row of this method and path does not declare an error answer, or the answer has undeclared details. */
export function checkError(method: string, url: string, body: ErrorAnswer): void {
  const { message } = body;
  checkParticulars(body);
  const path = url.split("?", 1)[0] ?? "";
  const row = endpointRows.find(([, endpoint]) => endpoint.method === method && patternOf(endpoint.path).test(path));
  if (!row) return;
  const declared = [...ALWAYS, ...errorsOf(row[1]).map((key) => errorRow(key).message)];
  if (!declared.includes(String(message))) throw new Error(`${row[0]} answers ${message}, which it does not declare`);
}

/** An error answer as it was received. */
interface ErrorAnswer {
  readonly message?: unknown;
  readonly details?: unknown;
  readonly errors?: unknown;
}

/** Throws if `details` or the rows of `errors` differ from what their error declares. */
function checkParticulars({ message, details, errors }: ErrorAnswer): void {
  const key = errorKeys.find((candidate) => errorRow(candidate).message === message);
  if (!key) throw new Error(`${message} is not a declared error`);
  const row = errorRow(key);
  const check = ajv.compile(row.details ?? { not: {} });
  const mayLack = row.details === undefined || ((row.details as { required?: unknown[] }).required ?? []).length === 0;
  if (details === undefined ? !mayLack : !check(details))
    throw new Error(`${message} answers details that it does not declare: ${JSON.stringify(details)}`);
  if (errors === undefined) return;
  const checkRows = ajv.compile(Type.Array(Shape({ ...faultColumns, ...row.columns })));
  if (!checkRows(errors)) throw new Error(`${message} answers undeclared rows: ${ajv.errorsText(checkRows.errors)}`);
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:[A-Za-z]+/g, "[^/]+")}$`);
