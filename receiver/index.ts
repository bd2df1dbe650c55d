/** The API for receivers of webhooks: `verify`, its error, and the types of the events. */
export { type WebhookVerificationCode, WebhookVerificationError } from "./error.ts";
export type { KnownWebhookEvent, UnknownWebhookEvent, WebhookEvent, WebhookEventName } from "./event.ts";
export type { WebhookEventData } from "./events.gen.ts";
export type { WebhookHeaders } from "./headers.ts";
export { type RawBody, type VerifyOptions, verify } from "./verify.ts";
