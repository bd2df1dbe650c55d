import { sql } from "drizzle-orm";
import type { EventName } from "../../../contract/events.ts";
import type { BodyFormat } from "../../../contract/webhooks.ts";
import type { Queryable } from "../../db/database.ts";
import { addJobs } from "../../jobs/add-job.ts";
import { defineJob, ENDLESS_RUNS } from "../../jobs/job.ts";
import type { Ids } from "../../platform/ids.ts";
import { bodyOf, type Occurrence } from "./body.ts";
import { checkEventData } from "./event-data.ts";
import { webhookDeliveries, webhookEvents } from "./tables.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** One attempt at a delivery. */
export interface DeliverJob {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** The webhook's owner; absent in jobs of older versions. */
  readonly ownerId?: string;
  /**
   * Number of the attempt, from 1, not counting interrupted ones. A job for an attempt that was already made does
   * nothing.
   */
  readonly attempt: number;
  /** It was parked and may go on: it does not queue behind those still parked. */
  readonly released?: boolean;
}

/** The queue never gives these jobs up: a delivery must end with an outcome, or it would stay open for ever. */
export const deliverJob = defineJob<DeliverJob>("deliver-webhook", { maxRuns: ENDLESS_RUNS });

/**
 * Records an event, and a delivery with its job for each of `receivers`, within the transaction `db`: neither exists
 * without the change that caused it. Returns the deliveries' ids. Throws if the data does not match the event's schema.
 * Takes as many statements for a thousand receivers as for one.
 */
export async function enqueue<N extends EventName>(
  db: Queryable,
  ids: Ids,
  occurrence: Occurrence<N>,
  receivers: readonly { readonly id: string; readonly userId: string; readonly bodyFormat: BodyFormat }[],
): Promise<string[]> {
  const { event, data, at } = occurrence;
  checkEventData(event, data);
  if (receivers.length === 0) return [];
  const [stored] = await db
    .insert(webhookEvents)
    .values({ name: event, data: JSON.stringify(data), createdAt: at })
    .returning({ id: webhookEvents.id });
  const eventId = stored?.id ?? 0;
  const deliveries = receivers.map((receiver) => ({ ...receiver, deliveryId: ids.next("delivery") }));
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  const webhookIds = deliveries.map(({ id }) => id);
  const bodies = deliveries.map(({ bodyFormat, deliveryId }) => bodyOf(bodyFormat, deliveryId, occurrence));
  const now = at.toISOString();
  // One array per column: a statement with a parameter for each value would have too many.
  await db.execute(sql`
    insert into ${webhookDeliveries} (id, webhook_id, body, event_id, event, by_hand, next_attempt_at, created_at)
    select fresh.*, ${eventId}::bigint, ${event}, ${event === "webhook.test"}::boolean, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${sql.param(deliveryIds)}::text[], ${sql.param(webhookIds)}::text[], ${sql.param(bodies)}::text[]) as fresh`);
  await addJobs(
    db,
    deliverJob,
    deliveries.map(({ deliveryId, id, userId }) => ({ deliveryId, webhookId: id, ownerId: userId, attempt: 1 })),
  );
  return deliveryIds;
}
