import type { ValidateFunction } from "ajv";
import { type EventName, events } from "../../../contract/events.ts";
import { createAjv } from "../../http/validation/schema-checks.ts";

const ajv = createAjv();

/** Throws if `data` does not match the catalogue's schema of `event`: an error of this service, not of a caller. */
export function checkEventData(event: EventName, data: unknown): void {
  const check: ValidateFunction = ajv.compile(events[event].data);
  if (!check(data)) throw new Error(`${event} breaks its schema: ${ajv.errorsText(check.errors)}`);
}
