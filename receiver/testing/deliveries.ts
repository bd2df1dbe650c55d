import { bodyFormats } from "../../contract/endpoints/webhooks.ts";
import { eventNames, events } from "../../contract/events.ts";
import { bodyOf, type Occurrence } from "../../server/features/webhooks/body.ts";
import { makeSecret, signatureHeaders, signingKeys } from "../../server/platform/webhook-signature.ts";

/** A delivery as a receiver gets it. */
export interface Delivery {
  readonly event: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  /** When it was sent, milliseconds since 1970. */
  readonly atMs: number;
}

export const SENT_AT_MS = Date.UTC(2026, 0, 31, 9, 30);
export const DELIVERY_ID = "wd_01k6z0c9v3e8rbt5w2yq4nmhxd";

/** `body` as the service sends and signs it; `former` are secrets that `secret` replaced and that still sign. */
export function sign(event: string, body: string, secret = makeSecret(), ...former: string[]): Delivery {
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhooks/1.0",
    "X-Service-Event": event,
    "X-Service-Delivery": DELIVERY_ID,
    ...signatureHeaders({
      deliveryId: DELIVERY_ID,
      at: new Date(SENT_AT_MS),
      body,
      keys: [signingKeys(secret), ...former.map(signingKeys)],
    }),
  };
  return { event, body, headers, secret, atMs: SENT_AT_MS };
}

/** The example of every event of the catalogue, in both forms of the body. */
export function exampleDeliveries(): Delivery[] {
  return eventNames.flatMap((event) => {
    const data = events[event].example;
    const occurrence = { event, data, at: new Date(SENT_AT_MS) } as Occurrence;
    return bodyFormats.map((format) => sign(event, bodyOf(format, DELIVERY_ID, occurrence) ?? JSON.stringify(data)));
  });
}
