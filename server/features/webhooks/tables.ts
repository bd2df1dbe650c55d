import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { EventName, SubscribableEvent } from "../../../contract/events.ts";
import type { AttemptError, BodyFormat, DeliveryStatus } from "../../../contract/webhooks.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

export const webhooks = pgTable(
  "webhooks",
  {
    id: id().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    url: text().notNull(),
    events: text().array().$type<SubscribableEvent[]>().notNull(),
    description: text().notNull(),
    active: boolean().notNull(),
    bodyFormat: text().$type<BodyFormat>().notNull(),
    /** Sealed with the webhook's id as context; empty once the webhook is deleted. */
    secret: bytea().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    /** When the service itself deactivated it; null: it did not, or the webhook was activated again. */
    deactivatedAt: instant(),
    /** A deleted webhook is invisible at once; its log, which may be long, is removed in small batches afterwards. */
    deletedAt: instant(),
  },
  (table) => [
    index("webhooks_by_user").on(table.userId, table.id).where(sql`deleted_at is null`),
    index("webhooks_deleted").on(table.id).where(sql`deleted_at is not null`),
  ],
);

/** Signing secrets that were replaced, sealed as they were before: they sign beside the current one for a while. */
export const webhookFormerSecrets = pgTable(
  "webhook_former_secrets",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    webhookId: id()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    secret: bytea().notNull(),
    /** The last instant at which it signs. */
    validUntil: instant().notNull(),
  },
  (table) => [index("webhook_former_secrets_by_webhook").on(table.webhookId, table.id)],
);

/**
 * How a webhook fares, written with every outcome that ends a delivery: apart from the webhook's own row, so that it is
 * small and is not held against those who read or change that one. None: nothing has ended yet.
 */
export const webhookHealth = pgTable("webhook_health", {
  webhookId: id()
    .primaryKey()
    .references(() => webhooks.id, { onDelete: "cascade" }),
  lastSuccessAt: instant(),
  /** Deliveries that ended failed since the last one that was delivered. */
  failuresInARow: integer().notNull().default(0),
  /** When the first of them ended. */
  failingSince: instant(),
});

/** Orders to send the failed deliveries of a webhook again, until they are carried out. */
export const webhookRecoveries = pgTable(
  "webhook_recoveries",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    webhookId: id()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** Covers what failed from then on … */
    since: instant().notNull(),
    /** … until then, which is when it was given. */
    until: instant().notNull(),
  },
  (table) => [index("webhook_recoveries_by_webhook").on(table.webhookId)],
);

/** What happened, once for all who hear of it. Nothing is written where nobody listens. */
export const webhookEvents = pgTable("webhook_events", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  name: text().$type<EventName>().notNull(),
  /** JSON as text: its bytes are what is signed and sent. */
  data: text().notNull(),
  createdAt: instant().notNull(),
});

/** An event on its way to one webhook. Until it has ended, either a job for its next attempt exists or it is parked. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id().primaryKey(),
    webhookId: id()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** Not a foreign key: both are removed by age, and an index for that alone would cost every insert. */
    eventId: bigint({ mode: "number" }).notNull(),
    event: text().$type<EventName>().notNull(),
    /** The body to send; null: the event's data as they stand. */
    body: text(),
    status: text().$type<DeliveryStatus>().notNull().default("pending"),
    attemptCount: integer().notNull().default(0),
    /** How many of these were cut short: they do not count against the attempts that are allowed. */
    interruptedCount: integer().notNull().default(0),
    nextAttemptAt: instant(),
    /** Waits without a job for its webhook to get through those before it. */
    parked: boolean().notNull().default(false),
    redeliveryOf: id(),
    /** The first delivery of the family: what was sent, sent again, and sent again from there; null: this one. */
    originalId: id(),
    /** Asked for one by one: it goes out although its webhook is inactive. */
    byHand: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    completedAt: instant(),
  },
  (table) => [
    index("webhook_deliveries_by_kind").on(table.webhookId, table.event, table.status, table.id),
    index("webhook_deliveries_due").on(table.webhookId, table.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index("webhook_deliveries_failed").on(table.webhookId, table.completedAt, table.id).where(sql`status = 'failed'`),
    index("webhook_deliveries_by_original").on(table.originalId, table.id).where(sql`original_id is not null`),
    index("webhook_deliveries_parked").on(table.webhookId, table.id).where(sql`parked`),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    deliveryId: id()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    startedAt: instant().notNull(),
    durationMs: integer().notNull(),
    responseStatus: integer(),
    responseHeaders: json().$type<Record<string, string>>(),
    responseBody: text(),
    error: text().$type<AttemptError>(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);

/**
 * Attempts under way, and those whose process ended before their outcome was written. Not tied to the deliveries by a
 * foreign key: it would cost every attempt a lock on its delivery.
 */
export const webhookBegunAttempts = pgTable(
  "webhook_begun_attempts",
  {
    deliveryId: id().notNull(),
    /** As the job counts attempts: without those that were cut short. */
    number: integer().notNull(),
    jobId: bigint({ mode: "number" }).notNull(),
    starts: integer().notNull(),
    startedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.jobId, table.starts] })],
);
