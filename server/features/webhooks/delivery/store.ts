import { type SQL, sql } from "drizzle-orm";
import type { EventName } from "../../../../contract/events.ts";
import { type Database, executeNamed, type Queryable } from "../../../db/database.ts";
import { addJobsFrom } from "../../../jobs/add-job.ts";
import type { Lease } from "../../../jobs/job.ts";
import { endJobs, holdsLease } from "../../../jobs/queue-store.ts";
import { type DeliverJob, deliverJob } from "../enqueue.ts";
import { formerSecretsOf, readFormerSecrets } from "../former-secrets.ts";
import { webhookDeliveries, webhookEvents, webhooks } from "../tables.ts";
import type { Endpoint } from "./lanes.ts";

/** A job that this worker holds. */
export interface LeasedJob {
  readonly job: DeliverJob;
  readonly lease: Lease;
}

/**
 * Where a job's request goes. Jobs of older versions do not name the owner: then the endpoint counts as its own owner.
 */
export const endpointOf = ({ webhookId, ownerId = webhookId }: DeliverJob): Endpoint => ({ webhookId, ownerId });

/** What an attempt needs. */
export interface DueDelivery {
  readonly event: EventName;
  readonly body: string;
  readonly url: string;
  readonly secret: Uint8Array;
  /** Replaced secrets, the newest first; each signs up to `validUntil`. */
  readonly formerSecrets: readonly { readonly secret: Uint8Array; readonly validUntil: Date }[];
  readonly active: boolean;
  /** Sent even if its webhook is inactive. */
  readonly byHand: boolean;
}

const inputColumns = (more = "") =>
  sql.raw(`as i(at int, id text, number int, job_id bigint, pool_id text, starts int${more && `, ${more}`})`);

/** Leased jobs as a table `i`, with further columns for each. */
export function table(
  leasedJobs: readonly LeasedJob[],
  columns = "",
  valuesOf: (at: number) => object = () => ({}),
): SQL {
  const rows = leasedJobs.map(({ job, lease }, at) => ({
    at,
    id: job.deliveryId,
    number: job.attempt,
    job_id: lease.jobId,
    pool_id: lease.poolId,
    starts: lease.starts,
    ...valuesOf(at),
  }));
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) ${inputColumns(columns)}`;
}

const held = holdsLease(sql`i.job_id`, sql`i.pool_id`, sql`i.starts`);

/** SQL condition: delivery `d` still waits for the attempt that leased job `i` is for. */
export const isDue = sql`d.id = i.id and d.attempt_count - d.interrupted_count = i.number - 1
  and d.status in ('pending', 'retry_scheduled') and not d.parked`;

/**
 * Returns what each leased job has to send. `held` is false if the lease is gone; `due` is null if there is nothing to
 * do: the webhook is deleted, the attempt was already made, or the delivery is parked.
 */
export async function loadDue(
  db: Database,
  leasedJobs: readonly LeasedJob[],
): Promise<{ held: boolean; due: DueDelivery | null }[]> {
  const rows = await executeNamed<Record<string, unknown> & { held: boolean; active: boolean | null }>(
    db,
    "load_due_deliveries",
    sql`
    select i.at, ${held} as held, due.*
    from ${table(leasedJobs)}
    left join lateral (
      select d.event, coalesce(d.body, e.data) as body, d.by_hand, w.url, w.secret, w.active,
        ${formerSecretsOf(sql`w.id`)} as former
      from ${webhookDeliveries} d
      left join ${webhookEvents} e on e.id = d.event_id
      join ${webhooks} w on w.id = d.webhook_id and w.deleted_at is null
      where ${isDue} limit 1
    ) due on true
    order by i.at`,
  );
  return rows.map(({ held, active, event, body, url, secret, former, by_hand: byHand }) => ({
    held,
    due:
      active === null
        ? null
        : ({ event, body, url, secret, formerSecrets: readFormerSecrets(former), active, byHand } as DueDelivery),
  }));
}

/**
 * Parks deliveries: they wait without a job. Their jobs end in the same statement, so that none is left to run beside
 * the job that they get later. Returns for each whether its lease still holds.
 */
export async function parkDeliveries(db: Queryable, leasedJobs: readonly LeasedJob[]): Promise<boolean[]> {
  const { rows } = await db.execute<{ held: boolean }>(sql`
    with i as materialized (select *, ${held} as held from ${table(leasedJobs)}),
    parked as (
      update ${webhookDeliveries} d set parked = true from i where ${isDue} and i.held
      returning i.job_id
    ),
    done as (${endJobs(sql`select job_id from parked`)})
    select held from i order by at`);
  return rows.map(({ held }) => held);
}

/**
 * SQL condition: webhook `id` is not deleted. Deliveries of a deleted one are not sent any more; a separate job removes
 * them.
 */
const isThere = (id: SQL): SQL => sql`exists (
  select from ${webhooks} w where w.id = ${id} and w.deleted_at is null)`;

/** Some parked deliveries of a webhook: the oldest `most`. */
export interface Parked {
  readonly webhookId: string;
  readonly most: number;
}

/** Gives the oldest parked deliveries of webhooks their jobs back, in one statement; returns for each webhook how many. */
export async function releaseParked(db: Queryable, wanted: readonly Parked[]): Promise<number[]> {
  const column = <T>(of: (one: Parked) => T) => sql.param(wanted.map(of));
  // Adding no jobs tells the queue too, and transactions that tell it end one after the other.
  const { rows } = await db.execute<{ released: Readonly<Record<string, number>> }>(sql`
    with wanted as (
      select * from unnest(${column(({ webhookId }) => webhookId)}::text[], ${column(({ most }) => most)}::int[])
        as wanted (webhook_id, most)
    ),
    chosen as (
      select oldest.id from wanted cross join lateral (
        select d.id from ${webhookDeliveries} d
        where d.webhook_id = wanted.webhook_id and d.parked and ${isThere(sql`wanted.webhook_id`)}
        order by d.id limit wanted.most for update skip locked) as oldest
    ),
    released as (
      update ${webhookDeliveries} d set parked = false from chosen where d.id = chosen.id
      returning d.id, d.webhook_id, d.attempt_count - d.interrupted_count as made, (select w.user_id from ${webhooks} w where w.id = d.webhook_id)
    )
    select coalesce(json_object_agg(webhook_id, number), '{}') as released,
      case when exists (select from released) then ${addJobsFrom(
        deliverJob,
        sql`select json_build_object(
              'deliveryId', id, 'webhookId', webhook_id, 'ownerId', user_id, 'attempt', made + 1, 'released', true
            ) as payload, 0 as delay_ms from released order by id`,
      )} end as jobs
    from (select webhook_id, count(*)::int as number from released group by webhook_id) as counted`);
  return wanted.map(({ webhookId }) => rows[0]?.released[webhookId] ?? 0);
}

/**
 * Reads the next `most` webhooks after id `after` that have parked deliveries, stepping through the index from one to
 * the next. Returns those that are not deleted, in order, and the last one read; null if there are no more.
 */
export async function findParked(
  db: Queryable,
  after: string,
  most: number,
): Promise<{ endpoints: Endpoint[]; last: string | null }> {
  const nextAfter = (id: SQL): SQL => sql`(
    select d.webhook_id from ${webhookDeliveries} d where d.parked and d.webhook_id > ${id} order by d.webhook_id limit 1)`;
  const { rows } = await db.execute<{ webhook_id: string; owner_id: string | null }>(sql`
    with recursive found as (
      select ${nextAfter(sql`${after}::text`)} as webhook_id, 1 as nth
      union all
      select ${nextAfter(sql`found.webhook_id`)}, nth + 1 from found where found.webhook_id is not null and nth < ${most}
    )
    select webhook_id, w.user_id as owner_id
    from found left join ${webhooks} w on w.id = webhook_id and w.deleted_at is null
    where webhook_id is not null order by nth`);
  return {
    endpoints: rows.flatMap(({ webhook_id: webhookId, owner_id: ownerId }) =>
      ownerId ? [{ webhookId, ownerId }] : [],
    ),
    last: rows.length < most ? null : (rows.at(-1)?.webhook_id ?? null),
  };
}
