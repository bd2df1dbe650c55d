import { errorsOf } from "../contract/endpoint.ts";
import { errorRow } from "../contract/errors.ts";
import { endpointRows } from "../contract/index.ts";
import { type DataEndpoint, replyDataSchema } from "../server/http/reply-schema.ts";
import { createAjv } from "../server/http/schema-checks.ts";
import { parseTimestamp } from "../server/platform/timestamp.ts";

const ajv = createAjv({ allErrors: true });
// Going out, an instant has one spelling.
ajv.addFormat("date-time", (text: string) => parseTimestamp(text)?.toISOString() === text);

/** Throws where `data` of an answer differs from what its row declares: serialising alone would drop it in silence. */
export function checkReply(id: string, endpoint: DataEndpoint, data: unknown): void {
  const check = ajv.compile(replyDataSchema(endpoint));
  if (!check(data)) throw new Error(`${id} answers what it does not declare: ${ajv.errorsText(check.errors)}`);
}

/** What any request can run into, whatever its row declares. */
const ALWAYS = ["bad_request", "method_not_allowed", "internal_error", "service_unavailable"];

/** Throws where an error answer is none that the row of this method and path declares. */
export function checkError(method: string, url: string, message: unknown): void {
  const path = url.split("?", 1)[0] ?? "";
  const row = endpointRows.find(([, endpoint]) => endpoint.method === method && patternOf(endpoint.path).test(path));
  if (!row) return;
  const declared = [...ALWAYS, ...errorsOf(row[1]).map((key) => errorRow(key).message)];
  if (!declared.includes(String(message))) throw new Error(`${row[0]} answers ${message}, which it does not declare`);
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:[A-Za-z]+/g, "[^/]+")}$`);
