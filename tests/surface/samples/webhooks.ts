import type { webhooks } from "../../../contract/endpoints/webhooks.ts";
import { subscribableEvents } from "../../../contract/events.ts";
import type { Making, Samples } from "./noun.ts";

export interface WebhookRecords {
  readonly webhook: string;
  readonly delivery: string;
}

/** Creates a webhook that subscribes to every event, with two deliveries, one of which failed three times. */
export async function makeWebhook({ app, call }: Making): Promise<WebhookRecords> {
  const { webhook } = await call("POST", "/api/webhooks", {
    url: "https://hooks.example.com/in",
    events: subscribableEvents,
    description: "Tells the planning board",
  });
  await call("POST", `/api/webhooks/${webhook?.id}/test`);
  const { delivery } = await call("POST", `/api/webhooks/${webhook?.id}/test`);
  const now = app.clock.now();
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  await app.pool.query(
    `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_headers, response_body, error)
     values ($1, 1, $2, 184, 503, '{"content-type":"text/plain"}', 'The board is being updated', 'status'),
       ($1, 2, $3, 10000, null, null, null, 'timeout'), ($1, 3, $4, 96, 503, '{"content-type":"text/plain"}', 'The board is being updated', 'status')`,
    [delivery?.id, minutesAgo(6), minutesAgo(5), now],
  );
  await app.pool.query(
    "update webhook_deliveries set status = 'failed', attempt_count = 3, next_attempt_at = null, created_at = $3, completed_at = $2 where id = $1",
    [delivery?.id, now, minutesAgo(6)],
  );
  return { webhook: String(webhook?.id), delivery: String(delivery?.id) };
}

export const webhookSamples: Samples<typeof webhooks> = {
  listWebhookEvents: () => ({}),
  createWebhook: () => ({
    body: {
      url: "https://hooks.example.com/in",
      events: ["estimation.tasks_generated"],
      description: "Tells the planning board",
    },
  }),
  listWebhooks: () => ({}),
  getWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  updateWebhook: ({ webhook }) => ({ params: { id: webhook }, body: { active: false } }),
  deleteWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  rotateWebhookSecret: ({ webhook }) => ({ params: { id: webhook } }),
  testWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  listDeliveries: ({ webhook }) => ({ params: { id: webhook } }),
  getDelivery: ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } }),
  redeliver: ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } }),
  redeliverFailed: ({ webhook }) => ({ params: { id: webhook }, body: { since: "2026-01-31T10:30:00+01:00" } }),
};
