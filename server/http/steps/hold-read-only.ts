import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import type { Endpoint } from "../../../contract/endpoint.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { failWith } from "../failure.ts";
import { responsesData } from "../response/response-schema.ts";
import { pointer } from "../validation/pointer.ts";
import type { Step, Wrap } from "./step.ts";

interface Field {
  readonly readOnly?: boolean;
  readonly "x-must-match"?: boolean;
}

const propertiesOf = (schema: TSchema | undefined): [string, Field][] =>
  Object.entries((schema as { properties?: Record<string, Field> } | undefined)?.properties ?? {});

/** Returns the field of `data` that contains the changed record: the first. */
const recordOf = (endpoint: Endpoint): string | undefined =>
  responsesData(endpoint) ? propertiesOf(endpoint.response.data)[0]?.[0] : undefined;

/**
 * Removes read-only fields of a record from the body, so that the body matches its type. Refuses (400) those that must
 * match and differ from the record that the handler returns; that rolls back the change.
 */
export const holdReadOnly: Step<Wrap> = (endpoint) => {
  const readOnly = propertiesOf(endpoint.body).filter(([, field]) => field.readOnly);
  if (readOnly.length === 0) return null;
  const names = new Set(readOnly.map(([name]) => name));
  const matching = readOnly.filter(([, field]) => field["x-must-match"]).map(([name]) => name);
  const recordName = recordOf(endpoint);
  return async (exchange, next) => {
    const sent = exchange.body as Record<string, unknown>;
    const body = Object.fromEntries(Object.entries(sent).filter(([name]) => !names.has(name)));
    const response = await next({ ...exchange, body });
    const record = (response.data as Record<string, Record<string, unknown>>)[recordName ?? ""] ?? {};
    const faults = matching
      .filter((name) => name in sent && !isDeepStrictEqual(sent[name], record[name]))
      .map((name) => faultOf(name, record[name]));
    if (faults.length > 0) failWith(faults);
    return response;
  };
};

function faultOf(name: string, value: unknown): Fault {
  return {
    path: pointer([name]),
    in: "body",
    code: "read_only",
    message: "is read-only: leave it out, or send it back as it is",
    ...(typeof value === "string" || typeof value === "number" ? { expected: value } : {}),
  };
}
