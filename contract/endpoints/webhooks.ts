import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { eventNames, type SubscribableEvent, subscribableEvents } from "../events.ts";
import { limits } from "../limits.ts";
import {
  AnyOf,
  Change,
  component,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  paging,
  Shape,
  Text,
  Timestamp,
} from "../shapes.ts";
import { type AttemptError, attemptErrors } from "../values/attempt-errors.ts";

export const bodyFormats = ["data", "envelope"] as const;
export type BodyFormat = (typeof bodyFormats)[number];

export const deliveryStatuses = ["pending", "retry_scheduled", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: limits.urlLength,
    description: "HTTPS, without credentials or fragment",
    "x-published": { pattern: "^[Hh][Tt][Tt][Pp][Ss]:[^\\s\\u0000#]+$" },
  }),
  events: Type.Array(OneOf<SubscribableEvent>(subscribableEvents), {
    maxItems: subscribableEvents.length,
    uniqueItems: true,
    description: "Events that it receives; with an empty list, only tests and deliveries that are sent again",
  }),
  description: Text(limits.webhookDescriptionLength, { description: "What it is for" }),
  active: Type.Boolean({ description: "Only an active webhook receives events" }),
  bodyFormat: OneOf<BodyFormat>(bodyFormats, {
    description: "`data`: the body is the event's data. `envelope`: it is `{ id, event, createdAt, data }`",
  }),
};

/** The success of a webhook's deliveries. */
const WebhookHealth = component(
  "WebhookHealth",
  Shape({
    lastSuccessAt: Nullable(
      Type.String({ format: "date-time", description: "When a delivery last succeeded, including tests" }),
    ),
    failuresInARow: Type.Integer({
      minimum: 0,
      description: "Deliveries that have failed, with all their attempts, since the last success",
    }),
    failingSince: Nullable(
      Type.String({
        format: "date-time",
        description: "When the first of those deliveries failed; null: there is none",
      }),
    ),
    nextAttemptAt: Nullable(
      Type.String({ format: "date-time", description: "Time of the next attempt; null: none is planned" }),
    ),
    deactivatedAt: Nullable(
      Type.String({
        format: "date-time",
        description: `When the service deactivated the webhook, because at least ${limits.webhookFailuresInARow} deliveries in a row failed over at least ${limits.webhookFailingDays} days, or because its URL responded 410; null: it did not. Activating the webhook or changing its URL restarts the count`,
      }),
    ),
  }),
);
export type WebhookHealth = Static<typeof WebhookHealth.schema>;

export const Webhook = component(
  "Webhook",
  Shape({ id: Id("webhook"), ...fields, health: WebhookHealth.ref, createdAt: Timestamp, updatedAt: Timestamp }),
);
export type Webhook = Static<typeof Webhook.schema>;

/** Fields that the user sets. */
export type WebhookFields = Pick<Webhook, keyof typeof fields>;

export const Attempt = component(
  "Attempt",
  Shape({
    number: Type.Integer({ minimum: 1, description: "Counted from 1" }),
    startedAt: Timestamp,
    durationMs: Type.Integer({ minimum: 0, description: "0 if nothing was sent, or if the attempt was interrupted" }),
    responseStatus: Nullable(Type.Integer({ description: "null: no response came" })),
    responseHeaders: Nullable(
      Type.Unsafe<Record<string, string>>({
        type: "object",
        additionalProperties: { type: "string" },
        description: `At most ${limits.webhookResponseKeptBytes} bytes of names and values, without headers that may carry credentials, such as \`set-cookie\``,
      }),
    ),
    responseBody: Nullable(
      Type.String({
        description: `The first ${limits.webhookResponseKeptBytes} bytes read as UTF-8; what is not text becomes U+FFFD`,
      }),
    ),
    error: Nullable(
      OneOf<AttemptError>(Object.keys(attemptErrors) as AttemptError[], {
        description: `null: the attempt succeeded. ${Object.entries(attemptErrors)
          .map(([name, meaning]) => `\`${name}\`: ${meaning}.`)
          .join(" ")}`,
      }),
    ),
  }),
);
export type Attempt = Static<typeof Attempt.schema>;

const deliveryFields = {
  id: Id("delivery", "Sent as X-Service-Delivery and webhook-id; the same on every attempt"),
  webhookId: Id("webhook"),
  event: OneOf(eventNames, { description: "Name of the event" }),
  status: OneOf<DeliveryStatus>(deliveryStatuses, {
    description: "`pending` before the first attempt, `retry_scheduled` between attempts",
  }),
  attemptCount: Type.Integer({ minimum: 0, description: "Attempts in the log, interrupted ones included" }),
  nextAttemptAt: Nullable(Timestamp),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
  redeliveryOf: Nullable(Id("delivery", "The delivery whose body was sent again")),
  attempts: Type.Array(Attempt.ref, { description: "In the order in which they were made" }),
};

export const Delivery = component("Delivery", Shape(deliveryFields));
export type Delivery = Static<typeof Delivery.schema>;

/** A delivery with its request. */
export const DeliveryDetail = component(
  "DeliveryDetail",
  Shape({
    ...deliveryFields,
    requestBody: Type.String({ description: "The bytes that are signed and sent, as text" }),
    requestHeaders: Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: { type: "string" },
      description:
        "The headers with which the body would be sent now: signed at the time of this response, with the secrets that sign now. `X-Service-Signature` depends on the body and the current secret only, so a receiver must compute the same",
    }),
  }),
);
export type DeliveryDetail = Static<typeof DeliveryDetail.schema>;

const EventType = component(
  "EventType",
  Shape({
    name: OneOf(eventNames, { description: "Name of the event" }),
    when: Type.String({ description: "When it fires" }),
    subscribable: Type.Boolean({ description: "Whether webhooks can subscribe to it" }),
    envelopeAliases: Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: { type: "string" },
      description: "Fields that `data` has in the envelope only, each with the field whose value it repeats",
    }),
    schema: Type.Unsafe<object>({ type: "object", additionalProperties: true, description: "JSON Schema of `data`" }),
    example: Type.Unsafe<object>({ type: "object", additionalProperties: true, description: "An example of `data`" }),
  }),
);

const one = Shape({ webhook: Webhook.ref });
const secret = Type.String({ description: "`whsec_` and base64 of 32 bytes" });
const access = "webhooks:manage";
const { description, active, bodyFormat } = fields;

export const webhooks = endpoints({
  listWebhookEvents: {
    method: "GET",
    path: "/api/webhooks/events",
    summary: "Read the catalogue of events",
    access,
    response: { status: 200, data: Shape({ events: Type.Array(EventType.ref) }) },
  },
  createWebhook: {
    method: "POST",
    path: "/api/webhooks",
    summary: "Register a webhook; only this response shows its signing secret",
    description:
      "The URL is checked as written, without a DNS look-up; every connection is checked again by the IP address that it really goes to.",
    access,
    body: Shape({
      url: fields.url,
      events: fields.events,
      description: Type.Optional(description),
      active: Type.Optional(active),
      bodyFormat: Type.Optional(bodyFormat),
    }),
    response: {
      status: 201,
      created: "/api/webhooks/:id",
      data: Shape({ webhook: Webhook.ref, secret }),
    },
    errors: ["webhook_url_must_be_https", "limit_reached"],
    secrets: ["secret"],
  },
  listWebhooks: {
    method: "GET",
    path: "/api/webhooks",
    summary: "List your webhooks, newest first",
    access,
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ webhooks: Type.Array(Webhook.ref), nextCursor: NextCursor }) },
  },
  getWebhook: {
    method: "GET",
    path: "/api/webhooks/:id",
    summary: "Read a webhook",
    access,
    response: { status: 200, data: one },
  },
  updateWebhook: {
    method: "PATCH",
    path: "/api/webhooks/:id",
    summary: "Change a webhook; later attempts go to the new URL",
    access,
    body: Change(fields, { matching: ["id"], derived: ["health", "createdAt", "updatedAt"] }),
    response: { status: 200, data: one },
    errors: ["webhook_url_must_be_https"],
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/api/webhooks/:id",
    summary: "Delete a webhook and its log; deliveries that have not ended are dropped",
    access,
    response: { status: 200, data: one },
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/api/webhooks/:id/rotate-secret",
    summary: "Replace a webhook's signing secret; only this response shows the new one",
    description: `From the next attempt on, \`X-Service-Signature\` uses the new secret. \`webhook-signature\` begins with a signature with the new secret; for ${limits.webhookFormerSecretHours} hours one with each replaced secret follows, at most ${limits.webhookFormerSecrets}.`,
    access,
    response: { status: 200, data: Shape({ webhook: Webhook.ref, secret }) },
    secrets: ["secret"],
  },
  testWebhook: {
    method: "POST",
    path: "/api/webhooks/:id/test",
    summary: "Send `webhook.test` to a webhook, even an inactive one",
    access,
    response: { status: 202, data: Shape({ delivery: Delivery.ref }) },
    events: ["webhook.test"],
  },
  listDeliveries: {
    method: "GET",
    path: "/api/webhooks/:id/deliveries",
    summary: "Read a webhook's delivery log, newest first, with every attempt",
    access,
    query: Shape({
      status: AnyOf(
        OneOf<DeliveryStatus>(deliveryStatuses),
        deliveryStatuses.length,
        "Only those with one of these statuses",
      ),
      event: AnyOf(OneOf(eventNames), eventNames.length, "Only those of one of these events"),
      ...paging(limits.pageSize),
    }),
    response: { status: 200, data: Shape({ deliveries: Type.Array(Delivery.ref), nextCursor: NextCursor }) },
  },
  getDelivery: {
    method: "GET",
    path: "/api/webhooks/:id/deliveries/:deliveryId",
    summary: "Read a delivery with its request and every attempt",
    access,
    response: { status: 200, data: Shape({ delivery: DeliveryDetail.ref }) },
  },
  redeliver: {
    method: "POST",
    path: "/api/webhooks/:id/deliveries/:deliveryId/redeliver",
    summary: "Send the body of an ended delivery again, as a new delivery",
    description:
      "The body is the same to the byte, even if the webhook's format has changed since; only the `id` of an envelope becomes that of the new delivery. Works on an inactive webhook.",
    access,
    response: { status: 202, data: Shape({ delivery: Delivery.ref }) },
    errors: ["delivery_under_way"],
    delivers: true,
  },
  redeliverFailed: {
    method: "POST",
    path: "/api/webhooks/:id/redeliver-failed",
    summary: "Send every delivery again that has failed since a given time",
    description:
      "Includes every delivery that failed at or after `since`. If its body was sent again later, only the latest delivery of that body counts. They are sent in the background, oldest first and no faster than the endpoint accepts them.",
    access,
    body: Shape({
      since: Type.String({
        format: "date-time",
        description: "RFC 3339 with any offset; a time in the future selects nothing",
      }),
    }),
    response: {
      status: 202,
      data: Shape({
        count: Type.Integer({ minimum: 0, description: "Deliveries that will be sent again" }),
        since: Timestamp,
      }),
    },
    errors: ["webhook_inactive"],
    delivers: true,
  },
});
