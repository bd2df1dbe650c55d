import type { Delivery, Webhook } from "../../../contract/endpoints/webhooks.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { AttemptRow } from "./delivery-log.ts";
import type { DeliveryRow } from "./enqueue.ts";
import { readHealth } from "./health-store.ts";
import type { WebhookRow } from "./store.ts";

export async function presentWebhooks(db: Queryable, rows: readonly WebhookRow[]): Promise<Webhook[]> {
  const health =
    rows.length > 0
      ? await readHealth(
          db,
          rows.map(({ id }) => id),
        )
      : new Map();
  const text = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;
  return rows.map((row) => {
    const { lastSuccessAt, failuresInARow = 0, failingSince, nextAttemptAt } = health.get(row.id) ?? {};
    return {
      id: row.id,
      url: row.url,
      events: row.events,
      description: row.description,
      active: row.active,
      bodyFormat: row.bodyFormat,
      health: {
        lastSuccessAt: text(lastSuccessAt),
        failuresInARow,
        failingSince: text(failingSince),
        nextAttemptAt: text(nextAttemptAt),
        deactivatedAt: text(row.deactivatedAt),
      },
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  });
}

export async function presentWebhook(db: Queryable, row: WebhookRow): Promise<Webhook> {
  const [webhook] = await presentWebhooks(db, [row]);
  return webhook ?? fail("not_found");
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
  attempts: attempts.map(({ startedAt, ...attempt }) => ({
    ...attempt,
    startedAt: startedAt.toISOString(),
  })),
});
