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
    /** A deleted webhook is invisible at once; its log, which may be long, is removed in small batches afterwards. */
    deletedAt: instant(),
  },
  (table) => [
    index("webhooks_by_user").on(table.userId, table.id).where(sql`deleted_at is null`),
    index("webhooks_deleted").on(table.id).where(sql`deleted_at is not null`),
  ],
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
    nextAttemptAt: instant(),
    /** Waits without a job for its webhook to get through those before it. */
    parked: boolean().notNull().default(false),
    redeliveryOf: id(),
    createdAt: instant().notNull(),
    completedAt: instant(),
  },
  (table) => [
    index("webhook_deliveries_by_webhook").on(table.webhookId, table.id),
    index("webhook_deliveries_by_kind").on(table.webhookId, table.event, table.status, table.id),
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
