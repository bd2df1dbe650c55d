import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { AttemptError } from "../../../contract/attempt-errors.ts";
import type { EventName, SubscribableEvent } from "../../../contract/events.ts";
import type { BodyFormat, DeliveryStatus } from "../../../contract/webhooks.ts";
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
    /** When the service itself deactivated it; null if it did not, or if the webhook was activated again. */
    deactivatedAt: instant(),
    /** A deleted webhook is invisible at once; its log, which may be long, is removed later in small batches. */
    deletedAt: instant(),
  },
  (table) => [
    index("webhooks_by_user").on(table.userId, table.id).where(sql`deleted_at is null`),
    index("webhooks_deleted").on(table.id).where(sql`deleted_at is not null`),
    index("webhooks_deleted_by_user").on(table.userId).where(sql`deleted_at is not null`),
  ],
);

/** Replaced signing secrets, still sealed: they sign beside the current one for a while. */
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
 * The health of a webhook, written with every outcome that ends a delivery. It is apart from the webhook's own row, so
 * that it is small and does not block reads and changes of that row. No row: no delivery has ended yet.
 */
export const webhookHealth = pgTable("webhook_health", {
  webhookId: id()
    .primaryKey()
    .references(() => webhooks.id, { onDelete: "cascade" }),
  lastSuccessAt: instant(),
  /** Deliveries that failed since the last successful one. */
  failuresInARow: integer().notNull().default(0),
  /** When the first of them failed. */
  failingSince: instant(),
});

/** Unfinished orders to send the failed deliveries of a webhook again. */
export const webhookRecoveries = pgTable(
  "webhook_recoveries",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    webhookId: id()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** Covers failures from this time … */
    since: instant().notNull(),
    /** … to this time, when the order was given. */
    until: instant().notNull(),
  },
  (table) => [index("webhook_recoveries_by_webhook").on(table.webhookId)],
);

/** Events, stored once for all receivers. Nothing is stored if no webhook subscribes. */
export const webhookEvents = pgTable("webhook_events", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  name: text().$type<EventName>().notNull(),
  /** JSON as text: its bytes are what is signed and sent. */
  data: text().notNull(),
  createdAt: instant().notNull(),
});

/**
 * Parts of events with very many receivers: users whose webhooks are still to get a delivery, which a job writes in
 * batches. A part is removed with its last batch.
 */
export const webhookSpreads = pgTable(
  "webhook_spreads",
  {
    /** The user who caused the event: senders take turns. */
    senderId: id().notNull(),
    eventId: bigint({ mode: "number" }).notNull(),
    part: integer().notNull(),
    /** The users who receive the event, as of the time when it happened. */
    userIds: text().array().notNull(),
    /** The last webhook that got a delivery; empty before the first one. */
    doneTo: id().notNull().default(""),
  },
  (table) => [primaryKey({ columns: [table.senderId, table.eventId, table.part] })],
);

/** An event to be sent to one webhook. Until it has ended, it either has a job for its next attempt or is parked. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id().primaryKey(),
    webhookId: id()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** Not a foreign key: both are removed by age, and an index only for that would make every insert slower. */
    eventId: bigint({ mode: "number" }).notNull(),
    event: text().$type<EventName>().notNull(),
    /** The body to send; null if it is the event's data unchanged. */
    body: text(),
    status: text().$type<DeliveryStatus>().notNull().default("pending"),
    attemptCount: integer().notNull().default(0),
    /** How many of these were interrupted: they do not count against the allowed attempts. */
    interruptedCount: integer().notNull().default(0),
    nextAttemptAt: instant(),
    /** Waits without a job until its webhook has handled those before it. */
    parked: boolean().notNull().default(false),
    redeliveryOf: id(),
    /** The first delivery in a chain of redeliveries; null if it is this one. */
    originalId: id(),
    /** Requested by hand: sent even if its webhook is inactive. */
    byHand: boolean().notNull().default(false),
    /** Whether the webhook's owner caused it: others' events do not count against what may wait for an owner. */
    causedByOwner: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    completedAt: instant(),
  },
  (table) => [
    index("webhook_deliveries_by_kind").on(table.webhookId, table.event, table.status, table.id),
    index("webhook_deliveries_due").on(table.webhookId, table.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index("webhook_deliveries_failed").on(table.webhookId, table.completedAt, table.id).where(sql`status = 'failed'`),
    index("webhook_deliveries_by_original").on(table.originalId, table.id).where(sql`original_id is not null`),
    index("webhook_deliveries_parked").on(table.webhookId, table.id).where(sql`parked`),
    index("webhook_deliveries_waiting").on(table.webhookId).where(sql`parked and caused_by_owner`),
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
 * Attempts under way, and those whose process ended before their outcome was written. No foreign key to deliveries: it
 * would cost every attempt a lock on its delivery.
 */
export const webhookBegunAttempts = pgTable(
  "webhook_begun_attempts",
  {
    deliveryId: id().notNull(),
    /** As the job counts attempts: without interrupted ones. */
    number: integer().notNull(),
    jobId: bigint({ mode: "number" }).notNull(),
    starts: integer().notNull(),
    startedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.jobId, table.starts] })],
);
