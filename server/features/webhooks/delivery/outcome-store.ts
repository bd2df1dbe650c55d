import { sql } from "drizzle-orm";
import { limits } from "../../../../contract/limits.ts";
import type { Attempt, DeliveryStatus } from "../../../../contract/webhooks.ts";
import { type Database, executeNamed } from "../../../db/database.ts";
import { addJobsFrom } from "../../../jobs/add-job.ts";
import { requestMailsFrom } from "../../../jobs/mail-store.ts";
import { endHeldJobs } from "../../../jobs/queue-store.ts";
import { deactivationMail } from "../deactivation-mail.ts";
import { deliverJob } from "../enqueue.ts";
import { webhookAttempts, webhookBegunAttempts, webhookDeliveries, webhookHealth, webhooks } from "../tables.ts";
import { isDue, type LeasedJob, table } from "./store.ts";

/** The outcome of an attempt, and the next step. */
export interface Outcome {
  readonly leased: LeasedJob;
  readonly attempt: Omit<Attempt, "number">;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date | null;
  readonly completedAt: Date | null;
  /** Until the next attempt; null if there is none. */
  readonly delayMs: number | null;
}

/** These say nothing about the endpoint, because nothing was sent. */
const sent = sql`coalesce(error not in ('webhook_inactive', 'internal'), true)`;

/**
 * Writes outcomes in one statement, all or nothing: each with its attempt, the end of its job and the job of the next
 * attempt. An outcome whose lease is gone, or whose attempt was written before, changes nothing. Returns which outcomes
 * were written.
 *
 * Earlier runs that recorded the start of the same attempt but wrote no outcome are logged before it as interrupted.
 *
 * Deliveries that ended count towards the health of their webhooks. Active webhooks that have failed for long enough
 * are deactivated, and the mail to their owner is requested once. The statement must read from `mails`, or that part
 * does not run. Webhooks are locked in order, so that two such statements cannot deadlock.
 */
export async function recordOutcomes(db: Database, outcomes: readonly Outcome[]): Promise<boolean[]> {
  const columns = `webhook_id text, owner_id text, status text, next_attempt_at timestamptz, completed_at timestamptz, delay_ms float8,
    started_at timestamptz, duration_ms int, response_status int, response_headers json, response_body text, error text`;
  const input = table(
    outcomes.map(({ leased }) => leased),
    columns,
    (at) => {
      const { leased, attempt, status, nextAttemptAt, completedAt, delayMs } = outcomes[at] as Outcome;
      return {
        webhook_id: leased.job.webhookId,
        owner_id: leased.job.ownerId,
        status,
        next_attempt_at: nextAttemptAt,
        completed_at: completedAt,
        delay_ms: delayMs,
        started_at: attempt.startedAt,
        duration_ms: attempt.durationMs,
        response_status: attempt.responseStatus,
        response_headers: attempt.responseHeaders,
        response_body: attempt.responseBody,
        error: attempt.error,
      };
    },
  );
  const rows = await executeNamed<{ at: number }>(
    db,
    "record_delivery_outcomes",
    sql`
    with i as materialized (select * from ${input}),
    done as (${endHeldJobs}),
    begun as (delete from ${webhookBegunAttempts} b using done where b.delivery_id = done.id returning b.*),
    interrupted as (
      select begun.delivery_id, begun.started_at,
        row_number() over (partition by begun.delivery_id order by begun.started_at, begun.starts) as nth
      from begun join done i on i.id = begun.delivery_id and i.number = begun.number
      where (begun.job_id, begun.starts) <> (i.job_id, i.starts)
    ),
    interruptions as (select delivery_id, count(*)::int as count from interrupted group by delivery_id),
    written as (
      update ${webhookDeliveries} d
      set status = i.status, next_attempt_at = i.next_attempt_at, completed_at = i.completed_at,
        attempt_count = d.attempt_count + i.interruptions + 1, interrupted_count = d.interrupted_count + i.interruptions
      from (
        select done.*, coalesce(interruptions.count, 0) as interruptions
        from done left join interruptions on interruptions.delivery_id = done.id
      ) i where ${isDue}
      returning i.*, d.attempt_count as last
    ),
    attempts as (
      insert into ${webhookAttempts}
        (delivery_id, number, started_at, duration_ms, response_status, response_headers, response_body, error)
      select id, last, started_at, duration_ms, response_status, response_headers, response_body, error from written
      union all
      select id, last - interruptions + nth - 1, interrupted.started_at, 0, null, null, null, 'interrupted'
      from written join interrupted on interrupted.delivery_id = written.id
    ),
    jobs as (
      select ${addJobsFrom(
        deliverJob,
        sql`select json_build_object(
              'deliveryId', id, 'webhookId', webhook_id, 'ownerId', coalesce(owner_id, webhook_id), 'attempt', number + 1
            ) as payload, delay_ms
            from written where delay_ms is not null`,
      )} as added
    ),
    ended as (
      select webhook_id, at, status, completed_at,
        coalesce(max(at) filter (where status = 'delivered') over (partition by webhook_id), -1) as success
      from written where status in ('delivered', 'failed') and ${sent}
    ),
    tally as (
      select webhook_id, max(completed_at) as ended_at,
        max(completed_at) filter (where status = 'delivered') as success_at,
        count(*) filter (where at > success)::int as failures,
        min(completed_at) filter (where at > success) as failing_since
      from ended group by webhook_id
    ),
    health as (
      insert into ${webhookHealth} as h (webhook_id, last_success_at, failures_in_a_row, failing_since)
      select webhook_id, success_at, failures, failing_since from tally order by webhook_id
      on conflict (webhook_id) do update set
        last_success_at = greatest(h.last_success_at, excluded.last_success_at),
        failures_in_a_row = excluded.failures_in_a_row
          + case when excluded.last_success_at is null then h.failures_in_a_row else 0 end,
        failing_since = case when excluded.last_success_at is null
          then coalesce(h.failing_since, excluded.failing_since) else excluded.failing_since end
      returning h.webhook_id, h.failures_in_a_row, h.failing_since
    ),
    deactivated as (
      update ${webhooks} w set active = false, deactivated_at = tally.ended_at, updated_at = tally.ended_at
      from health join tally using (webhook_id)
      where w.id = health.webhook_id and w.active and w.deleted_at is null
        and health.failures_in_a_row >= ${limits.webhookFailuresInARow}
        and health.failing_since <= tally.ended_at - ${limits.webhookFailingDays} * interval '1 day'
      returning w.id, w.user_id, w.deactivated_at, health.failures_in_a_row, health.failing_since
    ),
    mails as (
      select case when exists (select from deactivated) then ${requestMailsFrom(
        deactivationMail,
        sql`select deactivated_at as asked_at, id || ' ' || deactivated_at as cause, json_build_object('webhookId', id, 'userId', user_id,
              'failures', failures_in_a_row, 'failingSince', failing_since, 'deactivatedAt', deactivated_at) as facts
            from deactivated`,
      )} end as added
    )
    select written.at from written, jobs, mails`,
  );
  const written = new Set(rows.map(({ at }) => at));
  return outcomes.map((_, at) => written.has(at));
}
