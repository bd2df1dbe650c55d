import { inArray, sql } from "drizzle-orm";
import type { WebhookFields } from "../../../contract/endpoints/webhooks.ts";
import type { Queryable } from "../../db/database.ts";
import { webhookDeliveries, webhookHealth, webhooks } from "./tables.ts";

/** What is stored about a webhook's health, with the next attempt to come. */
export interface Health {
  readonly lastSuccessAt: Date | null;
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  readonly nextAttemptAt: Date | null;
}

/** Reads the health of webhooks. The next attempt of each is one index look-up, however many wait. */
export async function readHealth(db: Queryable, webhookIds: readonly string[]): Promise<Map<string, Health>> {
  const nextAttemptAt = sql<Date | null>`(
    select d.next_attempt_at from ${webhookDeliveries} d
    where d.webhook_id = ${webhooks.id} and d.due_at is not null order by d.due_at limit 1)`.mapWith(
    webhookDeliveries.nextAttemptAt,
  );
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
 * Resets the failure count if `changes` activate the webhook or give it another address: earlier failures then say
 * nothing about it. Call it before writing the change: outcomes, too, lock the health before the webhook. Reads whether
 * the webhook is active only when no outcome is being written any more, because that outcome might deactivate it.
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

/** Locks the health of the webhook until the transaction ends: nobody else changes it, or deactivates the webhook. */
async function holdHealth(db: Queryable, webhookId: string): Promise<void> {
  // A missing row cannot be locked, so it is created.
  await db.execute(sql`
    insert into ${webhookHealth} as h (webhook_id)
    select id from ${webhooks} where id = ${webhookId} for key share
    on conflict (webhook_id) do update set failures_in_a_row = h.failures_in_a_row`);
}
