import type { EventData, EventName } from "../../../contract/events.ts";
import type { BodyFormat } from "../../../contract/webhooks.ts";

/** An event that happened. */
export interface Occurrence<N extends EventName = EventName> {
  readonly event: N;
  readonly data: EventData<N>;
  readonly at: Date;
}

/** The body to store for a delivery; null where it is the event's data as they stand. */
export function bodyOf(format: BodyFormat, deliveryId: string, { event, data, at }: Occurrence): string | null {
  if (format === "data") return null;
  return JSON.stringify({ id: deliveryId, event, createdAt: at.toISOString(), data: envelopeData(data) });
}

/** The envelope names the accepting user of a share by a name that says what it holds, beside the one it replaces. */
const envelopeData = (data: EventData<EventName>): object =>
  "accepterEmail" in data ? { ...data, accepterUserId: data.accepterEmail } : data;
