/** The API for receivers of webhooks: `verify`, its error, the types of the events, and `sign` for tests. */
export { type WebhookVerificationCode, WebhookVerificationError } from "./error.ts";
export type { KnownWebhookEvent, UnknownWebhookEvent, WebhookEvent, WebhookEventName } from "./event.ts";
export type { WebhookEventData } from "./events.gen.ts";
export type { WebhookHeaders } from "./headers.ts";
export type { RawBody } from "./raw-body.ts";
export { type SignedHeaders, type SignOptions, sign } from "./sign.ts";
export { type VerifyOptions, verify } from "./verify.ts";
