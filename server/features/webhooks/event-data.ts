import { Ajv } from "ajv";
import { type EventName, eventNames, events } from "../../../contract/events.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";

const ajv = new Ajv({ strict: true });
ajv.addFormat("date-time", (text: string) => parseTimestamp(text) !== null);
ajv.addFormat("uri", (text: string) => URL.canParse(text));

const checks = new Map(eventNames.map((name) => [name, ajv.compile(events[name].data)]));

/** Throws if `data` does not match the catalogue's schema of `event`: an error of this service, not of a caller. */
export function checkEventData(event: EventName, data: unknown): void {
  const check = checks.get(event);
  if (check && !check(data)) throw new Error(`${event} breaks its schema: ${ajv.errorsText(check.errors)}`);
}
