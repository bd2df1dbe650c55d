import type { ValidateFunction } from "ajv";
import { sql } from "drizzle-orm";
import type { BodyFormat } from "../../../contract/endpoints/webhooks.ts";
import { type EventName, events } from "../../../contract/events.ts";
import type { Queryable } from "../../db/database.ts";
import { createAjv } from "../../http/validation/schema-checks.ts";
import type { Ids } from "../../platform/ids.ts";
import { announce } from "./announce-store.ts";
import { bodyOf, type Occurrence } from "./body.ts";
import { webhookDeliveries, webhookEvents } from "./tables.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** A webhook that receives an event. */
export interface Receiver {
  readonly id: string;
  readonly userId: string;
  readonly bodyFormat: BodyFormat;
}

/** What happened, who caused it, and the webhooks that receive it. */
export interface Dispatch<N extends EventName> {
  readonly occurrence: Occurrence<N>;
  readonly senderId: string;
  readonly receivers: readonly Receiver[];
}

const ajv = createAjv();

/** Throws if `data` does not match the catalogue's schema of `event`: an error of this service, not of a caller. */
export function checkEventData(event: EventName, data: unknown): void {
  const check: ValidateFunction = ajv.compile(events[event].data);
  if (!check(data)) throw new Error(`${event} breaks its schema: ${ajv.errorsText(check.errors)}`);
}

/**
 * Records events, and for each a delivery for each of its receivers, within the transaction `db`: neither
 * exists without the change that caused it. Returns the deliveries' ids. Throws if data does not match its event's schema.
 * Takes as many statements for many deliveries as for one, so callers bound how many these are.
 */
export async function enqueueAll<N extends EventName>(
  db: Queryable,
  ids: Ids,
  all: readonly Dispatch<N>[],
): Promise<string[]> {
  for (const { occurrence } of all) checkEventData(occurrence.event, occurrence.data);
  const told = all.filter(({ receivers }) => receivers.length > 0);
  const eventIds = await recordEvents(
    db,
    told.map(({ occurrence }) => occurrence),
  );
  return enqueueReceptions(
    db,
    ids,
    told.flatMap(({ occurrence, senderId, receivers }, n) =>
      receivers.map((receiver) => ({ occurrence, senderId, receiver, eventId: eventIds[n] ?? 0 })),
    ),
  );
}

/** Records events, whose data were checked, without deliveries; returns their ids in order. */
export async function recordEvents(db: Queryable, occurrences: readonly Occurrence[]): Promise<number[]> {
  if (occurrences.length === 0) return [];
  const recorded = await db
    .insert(webhookEvents)
    .values(occurrences.map(({ event, data, at }) => ({ name: event, data: JSON.stringify(data), createdAt: at })))
    .returning({ id: webhookEvents.id });
  return recorded.map(({ id }) => id);
}

/** An event that a webhook receives. */
interface Reception {
  readonly eventId: number;
  readonly occurrence: Occurrence;
  readonly senderId: string;
  readonly receiver: Receiver;
}

/**
 * Writes deliveries of recorded events in one statement, due at once; returns their ids. An event that a webhook has got
 * already is left out.
 */
export async function enqueueReceptions(db: Queryable, ids: Ids, receptions: readonly Reception[]): Promise<string[]> {
  if (receptions.length === 0) return [];
  const deliveries = receptions.map(({ eventId, occurrence, senderId, receiver: { id, userId, bodyFormat } }) => {
    const deliveryId = ids.next("delivery");
    return {
      deliveryId,
      webhookId: id,
      eventId,
      occurrence,
      causedByOwner: senderId === userId,
      body: bodyOf(bodyFormat, deliveryId, occurrence),
    };
  });
  const column = <T>(of: (delivery: (typeof deliveries)[number]) => T) => sql.param(deliveries.map(of));
  // One array per column: a statement with a parameter for each value would have too many.
  await db.execute(sql`
    insert into ${webhookDeliveries} (id, webhook_id, body, event_id, event, caused_by_owner, by_hand, due_at, next_attempt_at, created_at)
    select id, webhook_id, body, event_id, event, caused_by_owner, event = 'webhook.test', clock_timestamp(), at, at
    from unnest(${column(({ deliveryId }) => deliveryId)}::text[], ${column(({ webhookId }) => webhookId)}::text[],
      ${column(({ body }) => body)}::text[], ${column(({ eventId }) => eventId)}::bigint[],
      ${column(({ occurrence }) => occurrence.event)}::text[],
      ${column(({ causedByOwner }) => causedByOwner)}::boolean[],
      ${column(({ occurrence }) => occurrence.at.toISOString())}::timestamptz[])
      as fresh (id, webhook_id, body, event_id, event, caused_by_owner, at)
    on conflict (event_id, webhook_id) where redelivery_of is null do nothing`);
  announce(db);
  return deliveries.map(({ deliveryId }) => deliveryId);
}

/** The same for one event. */
export const enqueue = <N extends EventName>(db: Queryable, ids: Ids, dispatch: Dispatch<N>): Promise<string[]> =>
  enqueueAll(db, ids, [dispatch]);
