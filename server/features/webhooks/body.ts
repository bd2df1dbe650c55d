import type { BodyFormat } from "../../../contract/endpoints/webhooks.ts";
import { type EventData, type EventName, envelopeAliases } from "../../../contract/events.ts";

/** An event that happened. */
export interface Occurrence<N extends EventName = EventName> {
  readonly event: N;
  readonly data: EventData<N>;
  readonly at: Date;
}

/**
 * Returns the body to store for a delivery; null if it is the event's data unchanged. In an envelope, the id comes
 * first.
 */
export function bodyOf(format: BodyFormat, deliveryId: string, { event, data, at }: Occurrence): string | null {
  if (format === "data") return null;
  return JSON.stringify({
    id: deliveryId,
    event,
    createdAt: at.toISOString(),
    data: { ...data, ...aliased(event, data) },
  });
}

const aliased = (event: EventName, data: EventData<EventName>): object => {
  const values: Readonly<Record<string, unknown>> = data;
  return Object.fromEntries(Object.entries(envelopeAliases(event)).map(([alias, field]) => [alias, values[field]]));
};
