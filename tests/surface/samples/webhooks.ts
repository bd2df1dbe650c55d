import { subscribableEvents } from "../../../contract/events.ts";
import type { webhooks } from "../../../contract/webhooks.ts";
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
  });
  await call("POST", `/api/webhooks/${webhook?.id}/test`);
  const { delivery } = await call("POST", `/api/webhooks/${webhook?.id}/test`);
  await app.pool.query(
    "update webhook_deliveries set status = 'failed', attempt_count = 3, next_attempt_at = null, completed_at = $2 where id = $1",
    [delivery?.id, app.clock.now()],
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
