import { and, desc, eq, inArray, sql } from "drizzle-orm";
import {
  type Delivery,
  type DeliveryDetail,
  type DeliveryStatus,
  deliveryStatuses,
} from "../../../contract/endpoints/webhooks.ts";
import { type EventName, eventNames } from "../../../contract/events.ts";
import type { Queryable } from "../../db/database.ts";
import type { DeliveryRow } from "./enqueue.ts";
import { presentDelivery } from "./present.ts";
import { webhookAttempts, webhookDeliveries, webhookEvents } from "./tables.ts";

export type AttemptRow = Omit<typeof webhookAttempts.$inferSelect, "deliveryId">;

/** Which part of a webhook's log to read. */
export interface LogQuery {
  readonly webhookId: string;
  readonly status?: readonly DeliveryStatus[] | undefined;
  readonly event?: readonly EventName[] | undefined;
  readonly limit: number;
  /** The last delivery of the previous page. */
  readonly afterId: string | null;
}

/** Reads deliveries with their attempts, newest first. A page costs the same at any place of a log of any length. */
export async function listDeliveries(db: Queryable, query: LogQuery): Promise<Delivery[]> {
  const rows = await selectDeliveries(db, query);
  return rows.map(({ delivery, attempts }) => presentDelivery(delivery, attempts));
}

/** Reads one delivery with its body; undefined if the webhook has no delivery with that id. */
export async function findDelivery(
  db: Queryable,
  webhookId: string,
  id: string,
): Promise<Omit<DeliveryDetail, "requestHeaders"> | undefined> {
  const [row] = await db
    .select({ delivery: webhookDeliveries, attempts: attemptsOfDelivery, data: webhookEvents.data })
    .from(webhookDeliveries)
    .leftJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id)));
  if (!row) return undefined;
  return { ...presentDelivery(row.delivery, row.attempts), requestBody: row.delivery.body ?? row.data ?? "" };
}

/**
 * The attempts of a delivery in their order, read by the same statement as the delivery itself: read by another one, they
 * could be newer than its status and `attemptCount`.
 */
const attemptsOfDelivery = sql<AttemptRow[]>`(
  select coalesce(json_agg(json_build_object('number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms,
    'responseStatus', a.response_status, 'responseHeaders', a.response_headers, 'responseBody', a.response_body,
    'error', a.error) order by a.number), '[]')
  from ${webhookAttempts} a where a.delivery_id = ${webhookDeliveries.id})`.mapWith(
  (rows: readonly (Omit<AttemptRow, "startedAt"> & { startedAt: string })[]): AttemptRow[] =>
    rows.map((row) => ({ ...row, startedAt: new Date(row.startedAt) })),
);

/** Sorts after every delivery id, in any collation of the database. */
const BEYOND_IDS = `wd_${"z".repeat(27)}`;

/**
 * Reads one range of the index on webhook, event, status and id for each combination of event and status asked for.
 * Each range is read in order and cut to one page, so that rare deliveries in a long log are found quickly too. A range
 * is written as two bounds of whole rows, not as equalities. With equalities, the planner could walk through
 * everybody's deliveries by id and filter them: through the whole table if a webhook has been silent for long. Only
 * events in the catalogue are read: names stay there for ever. One index serves all pages; a second one on webhook and
 * id would cost every delivery another index entry.
 */
function selectDeliveries(
  db: Queryable,
  { webhookId, status: statuses = deliveryStatuses, event: events = eventNames, limit, afterId }: LogQuery,
): Promise<{ delivery: DeliveryRow; attempts: AttemptRow[] }[]> {
  const before = afterId ?? BEYOND_IDS;
  const ids = sql`(
    select in_range.id from unnest(${sql.param([...events])}::text[]) as of_event (name)
    cross join unnest(${sql.param([...statuses])}::text[]) as in_status (state)
    cross join lateral (
      select d.id from ${webhookDeliveries} d
      where (d.webhook_id, d.event, d.status, d.id) < (${webhookId}, name, state, ${before})
        and (d.webhook_id, d.event, d.status, d.id) > (${webhookId}, name, state, '')
      order by d.webhook_id desc, d.event desc, d.status desc, d.id desc limit ${limit}
    ) as in_range
    order by in_range.id desc limit ${limit})`;
  const { id } = webhookDeliveries;
  return db
    .select({ delivery: webhookDeliveries, attempts: attemptsOfDelivery })
    .from(webhookDeliveries)
    .where(inArray(id, ids))
    .orderBy(desc(id));
}
