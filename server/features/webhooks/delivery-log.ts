import { and, asc, type Column, desc, eq, inArray, type SQLWrapper, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { type EventName, eventNames } from "../../../contract/events.ts";
import {
  type Delivery,
  type DeliveryDetail,
  type DeliveryStatus,
  deliveryStatuses,
} from "../../../contract/webhooks.ts";
import type { Queryable } from "../../db/database.ts";
import type { DeliveryRow } from "./enqueue.ts";
import { webhookAttempts, webhookDeliveries, webhookEvents } from "./tables.ts";

type AttemptRow = typeof webhookAttempts.$inferSelect;

/** Which part of a webhook's log to read. */
export interface LogQuery {
  readonly webhookId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly event?: EventName | undefined;
  readonly limit: number;
  /** The last delivery already read. */
  readonly afterId: string | null;
}

/** Reads deliveries with their attempts, newest first. A page costs the same however long the log is and wherever in it. */
export async function listDeliveries(db: Queryable, query: LogQuery): Promise<Delivery[]> {
  const rows = await selectDeliveries(db, query);
  const ids = rows.map(({ id }) => id);
  const attempts = ids.length > 0 ? await findAttempts(db, ids) : [];
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return rows.map((row) => presentDelivery(row, byDelivery.get(row.id) ?? []));
}

/** Reads one delivery with what was sent; undefined where the webhook has none of that id. */
export async function findDelivery(db: Queryable, webhookId: string, id: string): Promise<DeliveryDetail | undefined> {
  const [row] = await db
    .select({ delivery: webhookDeliveries, data: webhookEvents.data })
    .from(webhookDeliveries)
    .leftJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id)));
  if (!row) return undefined;
  const delivery = presentDelivery(row.delivery, await findAttempts(db, [id]));
  return { ...delivery, requestBody: row.delivery.body ?? row.data ?? "" };
}

/** Comes after every id of a delivery, in whatever order a database compares text. */
const BEYOND_IDS = `wd_${"z".repeat(27)}`;

/** The newest rows of one range of an index on `keys` and the id, in which the keys have the values `of`. */
function range(db: Queryable, keys: readonly Column[], of: readonly string[], beforeId: string, limit: number) {
  const columns = [...keys, webhookDeliveries.id];
  const row = (values: readonly SQLWrapper[]) => sql`(${sql.join([...values], sql`, `)})`;
  const bound = (id: string) => row([...of, id].map((value) => sql`${value}`));
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(sql`${row(columns)} < ${bound(beforeId)}`, sql`${row(columns)} > ${bound("")}`))
    .orderBy(...columns.map((column) => desc(column)))
    .limit(limit);
}

/**
 * A filter is read as one range of the index per combination of event and status, each in order and cut to a page: an
 * exact look-up also where what is asked for is rare in a long log. A range is written as two bounds of whole rows, not as
 * equalities: those would leave the planner free to walk through everybody's deliveries by id and pick out the ones asked
 * for, which takes it through the whole table where a webhook has long been silent.
 */
function selectDeliveries(
  db: Queryable,
  { webhookId, status, event, limit, afterId }: LogQuery,
): Promise<DeliveryRow[]> {
  const { webhookId: webhook, event: name, status: state, id } = webhookDeliveries;
  const before = afterId ?? BEYOND_IDS;
  if (!status && !event) return range(db, [webhook], [webhookId], before, limit);
  const [first, second, ...more] = (event ? [event] : eventNames).flatMap((eventName) =>
    (status ? [status] : deliveryStatuses).map((inStatus) =>
      range(db, [webhook, name, state], [webhookId, eventName, inStatus], before, limit),
    ),
  );
  if (!first) return Promise.resolve([]);
  return second
    ? unionAll(first, second, ...more)
        .orderBy(desc(id))
        .limit(limit)
    : first;
}

function findAttempts(db: Queryable, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  return db
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, [...deliveryIds]))
    .orderBy(asc(webhookAttempts.deliveryId), asc(webhookAttempts.number));
}

export const presentDelivery = (row: DeliveryRow, attempts: readonly AttemptRow[]): Delivery => ({
  id: row.id,
  webhookId: row.webhookId,
  event: row.event,
  status: row.status,
  attemptCount: row.attemptCount,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
  redeliveryOf: row.redeliveryOf,
  attempts: attempts.map(({ deliveryId: _, startedAt, ...attempt }) => ({
    ...attempt,
    startedAt: startedAt.toISOString(),
  })),
});
