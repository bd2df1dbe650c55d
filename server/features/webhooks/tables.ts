import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { BodyFormat, DeliveryStatus } from "../../../contract/endpoints/webhooks.ts";
import type { EventName, SubscribableEvent } from "../../../contract/events.ts";
import type { AttemptError } from "../../../contract/values/attempt-errors.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

/** Slots of an endpoint to which nothing was sent yet. */
export const FIRST_SLOTS = 4;

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
 * How deliveries to a webhook go, written with every claim and outcome. It is apart from the webhook's own row, so that
 * it is small and does not block reads and changes of that row. No row: nothing was claimed yet.
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
  /** How many requests it may have under way, as its responses have shown. */
  slots: integer().notNull().default(FIRST_SLOTS),
  /** How long the last request took, in milliseconds; null: none was sent yet. */
  lastMs: integer(),
  /** Deliveries that are leased, by any process. */
  underWay: integer().notNull().default(0),
  /** The end of the latest lease, by the database's clock: later all leases have ended. */
  leasedUntil: instant(),
});

/**
 * What all processes together do for an owner of webhooks. Whoever claims deliveries locks the row, so that the limits
 * hold over all processes. No row: nothing was claimed yet.
 */
export const webhookOwners = pgTable("webhook_owners", {
  userId: id()
    .primaryKey()
    .references(() => users.id),
  /** Deliveries that are leased, and how many of them at endpoints that counted as slow. */
  underWay: integer().notNull().default(0),
  slowUnderWay: integer().notNull().default(0),
  /** When the current minute began, by the database's clock, … */
  minuteBegan: instant(),
  /** … and how many deliveries were claimed in it. */
  claimed: integer().notNull().default(0),
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

/**
 * An event to be sent to one webhook: the table is the queue. A process leases deliveries that are due, and writes the
 * outcome only where the lease is still its own.
 */
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
    /** How many of its leases expired: a process that stops in order does not count. */
    expiredCount: integer().notNull().default(0),
    /** The time of the next attempt as users see it; null once it has ended. */
    nextAttemptAt: instant(),
    /** When it may be sent, by the database's clock; null once it has ended. */
    dueAt: instant(),
    /** Names the claim that leased it; null: it is not leased. */
    lease: text(),
    /** The end of the lease, by the database's clock. No index has it, so that a claim need not write one. */
    leasedUntil: instant(),
    /** Whether the lease counts in `slowUnderWay` of the owner. */
    leaseIsSlow: boolean().notNull().default(false),
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
    index("webhook_deliveries_due").on(table.webhookId, table.dueAt).where(sql`due_at is not null`),
    uniqueIndex("webhook_deliveries_by_event").on(table.eventId, table.webhookId).where(sql`redelivery_of is null`),
    index("webhook_deliveries_failed").on(table.webhookId, table.completedAt, table.id).where(sql`status = 'failed'`),
    index("webhook_deliveries_by_original").on(table.originalId, table.id).where(sql`original_id is not null`),
    index("webhook_deliveries_waiting").on(table.webhookId).where(sql`due_at is not null and caused_by_owner`),
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
