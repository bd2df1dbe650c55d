import { type SQL, sql } from "drizzle-orm";
import type { Attempt, DeliveryStatus } from "../../../../contract/endpoints/webhooks.ts";
import { limits } from "../../../../contract/limits.ts";
import { type Database, prepareRows } from "../../../db/database.ts";
import { requestMailsFrom } from "../../../jobs/mail-store.ts";
import { deactivationMail } from "../deactivation-mail.ts";
import { webhookAttempts, webhookDeliveries, webhookHealth, webhookOwners, webhooks } from "../tables.ts";
import { type Claimed, SLOTS, SLOW_MS } from "./claim-store.ts";

/** What became of a leased delivery, and the next step. */
export interface Outcome {
  readonly claimed: Pick<Claimed, "id" | "lease" | "webhookId" | "ownerId">;
  /** null: nothing was sent, and the delivery is given back as it was; `tookMs`: for how long its endpoint stalls. */
  readonly attempt: Omit<Attempt, "number"> | null;
  /** How long it took, in milliseconds, also where the log does not say it. */
  readonly tookMs: number;
  /** null: as before, which is due at once. */
  readonly status: DeliveryStatus | null;
  readonly nextAttemptAt: Date | null;
  readonly completedAt: Date | null;
  /** Until the next attempt, in milliseconds; null if there is none. */
  readonly delayMs: number | null;
}

/**
 * A response within this time, in milliseconds, gets the endpoint one slot more; a later one does not change its slots.
 * If the endpoint works on few requests at a time, more slots would only make more requests time out.
 */
const COMFORTABLE_MS = 3_000;

/** These say nothing about the endpoint, because nothing was sent, or its response is not known. */
const sent = sql`(attempted and coalesce(error, '') not in ('webhook_inactive', 'internal', 'interrupted'))`;
/**
 * A name server that does not respond, or a proxy that gives up on its backend, counts as a hang of the endpoint; so does one
 * that stalls.
 */
const hung = sql`(${sent} and error is not null and (error = 'timeout' or took_ms > ${sql.raw(String(SLOW_MS))})
  or not attempted and took_ms > 0)`;

/**
 * Writes outcomes in one statement, all or nothing, each with its attempt and the end of its lease. An outcome whose
 * lease is not this one any more changes nothing. Returns which outcomes were written.
 *
 * Responses tell how many slots an endpoint has: one more for each that comes soon enough, one after a hang.
 *
 * Deliveries that ended count towards the health of their webhooks. Active webhooks that have failed for long enough, or
 * whose URL says by a 410 that it takes nothing any more, are deactivated, and the mail to their owner is requested once; test
 * deliveries never do that. The statement must read from `mails`, or that part
 * does not run. Webhooks and owners are locked in order, so that two such statements cannot deadlock.
 */
export function prepareOutcomes(db: Database): (outcomes: readonly Outcome[]) => Promise<boolean[]> {
  const record = prepareRows<{ at: number }>(db, "record_delivery_outcomes", ["at"], outcomesStatement);
  return async (outcomes) => {
    const rows = await record({ given: JSON.stringify(outcomes.map(asGiven)) });
    const written = new Set(rows.map(({ at }) => at));
    return outcomes.map((_, at) => written.has(at));
  };
}

const asGiven = ({ claimed, attempt, tookMs, status, nextAttemptAt, completedAt, delayMs }: Outcome, at: number) => ({
  at,
  id: claimed.id,
  lease: claimed.lease,
  user_id: claimed.ownerId,
  status,
  next_attempt_at: nextAttemptAt,
  completed_at: completedAt,
  delay_ms: delayMs,
  attempted: attempt !== null,
  // Rounded up: what took a fraction longer than quick endpoints take is not quick.
  took_ms: Math.ceil(tookMs),
  started_at: attempt?.startedAt,
  duration_ms: attempt?.durationMs,
  response_status: attempt?.responseStatus,
  response_headers: attempt?.responseHeaders,
  response_body: attempt?.responseBody,
  error: attempt?.error,
});

const outcomesStatement = (): SQL => sql`
    with held as materialized (
      select i.*, d.webhook_id, d.event, d.lease_is_slow
      from json_to_recordset(${sql.placeholder("given")}::json) as i(at int, id text, lease text, user_id text, status text,
        next_attempt_at timestamptz, completed_at timestamptz, delay_ms float8, attempted boolean, took_ms int, started_at timestamptz,
        duration_ms int, response_status int, response_headers json, response_body text, error text)
      join ${webhookDeliveries} d on d.id = i.id and d.lease = i.lease
      for update of d
    ),
    written as (
      update ${webhookDeliveries} d set
        status = coalesce(i.status, d.status), completed_at = i.completed_at,
        next_attempt_at = case when i.status is null then d.next_attempt_at else i.next_attempt_at end,
        due_at = case when i.status is null then d.due_at else clock_timestamp() + i.delay_ms * interval '1 millisecond' end,
        attempt_count = d.attempt_count + i.attempted::int,
        interrupted_count = d.interrupted_count + coalesce((i.error = 'interrupted')::int, 0),
        lease = null, leased_until = null, lease_is_slow = false
      from held i where d.id = i.id
      returning i.*, d.attempt_count as number
    ),
    attempts as (
      insert into ${webhookAttempts}
        (delivery_id, number, started_at, duration_ms, response_status, response_headers, response_body, error)
      select id, number, started_at, duration_ms, response_status, response_headers, response_body, error
      from written where attempted
    ),
    judged as (
      select *, ${sent} as sent, ${hung} as hung, event <> 'webhook.test' as is_event,
        coalesce(max(at) filter (where status = 'delivered') over (partition by webhook_id), -1) as success
      from written
    ),
    tally as materialized (
      select webhook_id, count(*) as number, bool_or(hung) as hung,
        count(*) filter (where sent and not hung and took_ms <= ${sql.raw(String(COMFORTABLE_MS))}) as quick,
        (array_agg(took_ms order by hung desc, at desc) filter (where sent or hung))[1] as last_ms,
        max(completed_at) filter (where sent) as ended_at,
        max(completed_at) filter (where status = 'delivered') as success_at,
        count(*) filter (where status = 'failed' and sent and at > success)::int as failures,
        min(completed_at) filter (where status = 'failed' and sent and at > success) as failing_since,
        bool_or(status = 'failed' and sent and at > success and is_event) as fails,
        max(started_at) filter (where response_status = 410 and is_event) as gone_at
      from judged group by webhook_id
    ),
    lanes as materialized (
      select h.webhook_id from ${webhookHealth} h where h.webhook_id in (select webhook_id from tally)
      order by h.webhook_id for update
    ),
    health as (
      update ${webhookHealth} h set
        under_way = greatest(0, h.under_way - number),
        slots = case when hung then 1 else least(${sql.raw(String(SLOTS))}, h.slots + quick) end,
        last_ms = coalesce(tally.last_ms, h.last_ms),
        last_success_at = greatest(h.last_success_at, success_at),
        failures_in_a_row = failures + case when success_at is null then h.failures_in_a_row else 0 end,
        failing_since = case when success_at is null then coalesce(h.failing_since, tally.failing_since)
          else tally.failing_since end
      from tally join lanes using (webhook_id) where h.webhook_id = tally.webhook_id
      returning h.webhook_id, h.failures_in_a_row, h.failing_since, fails, ended_at, gone_at
    ),
    deactivated as (
      update ${webhooks} w set active = false, deactivated_at = coalesce(gone_at, ended_at), updated_at = coalesce(gone_at, ended_at)
      from health
      where w.id = health.webhook_id and w.active and w.deleted_at is null and (
        -- Somebody may have changed the webhook, and its URL, while the request was under way.
        gone_at >= w.updated_at
        or health.fails and health.failures_in_a_row >= ${limits.webhookFailuresInARow}
          and health.failing_since <= ended_at - ${limits.webhookFailingDays} * interval '1 day'
      )
      returning w.id, w.user_id, w.deactivated_at, health.failures_in_a_row, health.failing_since, gone_at is not null as gone
    ),
    ${requestMailsFrom(
      deactivationMail,
      sql`select deactivated_at as asked_at, id || ' ' || deactivated_at as cause, json_build_object('webhookId', id, 'userId', user_id,
            'failures', failures_in_a_row, 'failingSince', failing_since, 'gone', gone, 'deactivatedAt', deactivated_at) as facts
          from deactivated`,
    )},
    owners as materialized (
      select o.user_id from ${webhookOwners} o where o.user_id in (select user_id from written)
      order by o.user_id for update
    ),
    counted as (
      update ${webhookOwners} o set under_way = greatest(0, o.under_way - number),
        slow_under_way = greatest(0, o.slow_under_way - slow), claimed = greatest(0, o.claimed - unsent)
      from (
        select user_id, count(*) as number, count(*) filter (where lease_is_slow) as slow,
          count(*) filter (where not attempted) as unsent
        from written group by user_id
      ) ended join owners using (user_id)
      where o.user_id = ended.user_id
    )
    select written.at from written, mails`;
