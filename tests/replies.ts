import { Ajv } from "ajv";
import type { Endpoint } from "../contract/endpoint.ts";
import { components } from "../contract/shapes.ts";
import { replyDataSchema } from "../server/http/reply-schema.ts";
import { parseTimestamp } from "../server/platform/timestamp.ts";

const ajv = new Ajv({ strict: true, allowUnionTypes: true, multipleOfPrecision: 6, allErrors: true });
ajv.addFormat("date-time", (text: string) => parseTimestamp(text)?.toISOString() === text);
ajv.addFormat("uri", (text: string) => URL.canParse(text));
for (const schema of components) ajv.addSchema(schema);

/** Throws where `data` of an answer differs from what its row declares: serialising alone would drop it in silence. */
export function checkReply(id: string, endpoint: Endpoint, data: unknown): void {
  const check = ajv.compile(replyDataSchema(endpoint));
  if (!check(data)) throw new Error(`${id} answers what it does not declare: ${ajv.errorsText(check.errors)}`);
}
