import { WebhookVerificationError } from "./error.ts";
import { eventFields, type WebhookEventData } from "./events.gen.ts";
import type { ReadHeader } from "./headers.ts";
import { requireHeader } from "./signature.ts";

/** The events that this version of the module knows. */
export type WebhookEventName = keyof WebhookEventData;

/** A delivery of a known event; `event` says which, and so the type of `data`. */
export type KnownWebhookEvent<N extends WebhookEventName = WebhookEventName> = {
  [K in N]: {
    /** Id of the delivery, the same on every attempt: do its work only once. */
    readonly id: string;
    readonly event: K;
    /** When the event happened, ISO 8601. Only in the envelope. */
    readonly createdAt?: string;
    readonly data: WebhookEventData[K];
  };
}[N];

/**
 * A delivery of an event that is newer than this version of the module: respond with 2xx, so that it is not sent again.
 */
export interface UnknownWebhookEvent {
  readonly id: string;
  readonly event: "unknown";
  /** The event as the service names it. */
  readonly name: string;
  readonly createdAt?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

type Fields = Readonly<Record<string, unknown>>;

interface Envelope extends Fields {
  readonly id: string;
  readonly event: string;
  readonly createdAt: string;
  readonly data: Fields;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** No event's own data looks like this: all their fields are text and numbers. */
const isEnvelope = (body: Fields): body is Envelope =>
  typeof body.id === "string" &&
  typeof body.event === "string" &&
  typeof body.createdAt === "string" &&
  isFields(body.data);

/**
 * Reads a delivery with a valid signature. An envelope's own id and event count, and the headers must match them. A
 * bare body has neither, so the event is the header's, if the body's fields fit it.
 */
export function readEvent(bytes: Uint8Array, header: ReadHeader): WebhookEvent {
  const body = parse(bytes);
  const envelope = isEnvelope(body) ? body : undefined;
  const name = envelope?.event ?? requireHeader(header, "x-service-event");
  if ((header("x-service-event") ?? name) !== name) throw new WebhookVerificationError("event_mismatch");
  const id = header("webhook-id") ?? envelope?.id ?? requireHeader(header, "x-service-delivery");
  for (const other of [header("x-service-delivery"), envelope?.id]) {
    if ((other ?? id) !== id) throw new WebhookVerificationError("id_mismatch");
  }
  const data = envelope?.data ?? body;
  const time = envelope ? { createdAt: envelope.createdAt } : {};
  if (!isKnown(name)) return { id, event: "unknown", name, ...time, data };
  checkData(name, data);
  return { id, event: name, ...time, data } as unknown as KnownWebhookEvent;
}

function parse(bytes: Uint8Array): Fields {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new WebhookVerificationError("invalid_body");
  }
  if (!isFields(body)) throw new WebhookVerificationError("invalid_body");
  return body;
}

const isKnown = (name: string): name is WebhookEventName => Object.hasOwn(eventFields, name);

/**
 * Data without a field of their event do not belong to it: most likely the header, which no signature covers, was
 * changed on the way. Additional unknown fields are fine.
 */
function checkData(name: WebhookEventName, data: Fields): void {
  for (const [field, type] of Object.entries(eventFields[name])) {
    if (typeof data[field] !== type) throw new WebhookVerificationError("data_mismatch", `${name} carries ${field}`);
  }
}
