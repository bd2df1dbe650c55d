import { inArray, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { WebhookFields } from "../../../contract/webhooks.ts";
import type { Queryable } from "../../db/database.ts";
import { addJobsFrom } from "../../jobs/add-job.ts";
import { deactivationMailJob } from "./deactivation-mail.ts";
import { webhookDeliveries, webhookHealth, webhooks } from "./tables.ts";

/** What is stored of a webhook's health, with the earliest attempt to come. */
export interface Health {
  readonly lastSuccessAt: Date | null;
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  readonly nextAttemptAt: Date | null;
}

/** Nothing is known of the endpoint from these: they were not sent. */
const sent = sql`coalesce(error not in ('webhook_inactive', 'internal'), true)`;

/**
 * Parts of a statement that go after its part `written`, the outcomes written by it, with the columns `at` (their order),
 * `webhook_id`, `status`, `completed_at` and `error`. They count the deliveries that ended; of the webhooks that have
 * failed for long enough they deactivate those that are active and ask for the mail to their owners, once. The statement
 * must read from `mails`, or that part does not run. Webhooks are taken in order, so that two such statements never wait
 * for each other in a circle.
 */
export const countTowardsHealth = sql`
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
      select case when exists (select from deactivated) then ${addJobsFrom(
        deactivationMailJob,
        sql`select json_build_object('webhookId', id, 'userId', user_id, 'failures', failures_in_a_row,
              'failingSince', failing_since, 'deactivatedAt', deactivated_at) as payload, 0 as delay_ms from deactivated`,
      )} end as added
    )`;

/** Reads how webhooks fare. The next attempt of each is one look-up in an index, however many wait. */
export async function readHealth(db: Queryable, webhookIds: readonly string[]): Promise<Map<string, Health>> {
  const nextAttemptAt = sql<Date | null>`(
    select min(d.next_attempt_at) from ${webhookDeliveries} d
    where d.webhook_id = ${webhooks.id} and d.next_attempt_at is not null)`.mapWith(webhookDeliveries.nextAttemptAt);
  const { lastSuccessAt, failuresInARow, failingSince } = webhookHealth;
  const rows = await db
    .select({ id: webhooks.id, lastSuccessAt, failuresInARow, failingSince, nextAttemptAt })
    .from(webhooks)
    .leftJoin(webhookHealth, sql`${webhookHealth.webhookId} = ${webhooks.id}`)
    .where(inArray(webhooks.id, [...webhookIds]));
  return new Map(
    rows.map(({ id, failuresInARow, ...health }) => [id, { ...health, failuresInARow: failuresInARow ?? 0 }]),
  );
}

/**
 * Starts counting failures anew where `changes` activate the webhook or give it another address: what failed before says
 * nothing of it. To be called before the change is written: outcomes, too, take the health before the webhook. Whether the
 * webhook is active is looked at only once no outcome is being written any more: it might be the one that deactivates.
 */
export async function resetHealth(db: Queryable, webhookId: string, changes: Partial<WebhookFields>): Promise<void> {
  const { active = false, url = null } = changes;
  if (!active && url === null) return;
  await holdHealth(db, webhookId);
  await db.execute(sql`
    update ${webhookHealth} h set failures_in_a_row = 0, failing_since = null from ${webhooks} w
    where h.webhook_id = ${webhookId} and w.id = h.webhook_id
      and ((${active} and not w.active) or w.url <> ${url}::text)`);
}

/** Nobody else changes the health of the webhook, or deactivates it for its failures, until the transaction ends. */
async function holdHealth(db: Queryable, webhookId: string): Promise<void> {
  // What is not there cannot be locked: it is made.
  await db.execute(sql`
    insert into ${webhookHealth} as h (webhook_id)
    select id from ${webhooks} where id = ${webhookId} for key share
    on conflict (webhook_id) do update set failures_in_a_row = h.failures_in_a_row`);
}
