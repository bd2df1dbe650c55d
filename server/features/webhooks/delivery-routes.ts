import type { webhooks } from "../../../contract/endpoints/webhooks.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { addJob } from "../../jobs/job-store.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";
import { signingKeys } from "../../platform/webhook-signature.ts";
import type { Services } from "../../services/index.ts";
import { requestHeaders } from "./delivery/request-headers.ts";
import { findDelivery, listDeliveries } from "./delivery-log.ts";
import { enqueue } from "./enqueue.ts";
import { listFormerSecrets } from "./former-secrets.ts";
import { presentDelivery } from "./present.ts";
import { recoverJob } from "./recover.ts";
import { orderRecovery, redeliverOne } from "./redeliver-store.ts";
import { ownWebhook } from "./store.ts";

const newestFirst = byId("deliveries");

type Routes = Pick<
  Handlers<typeof webhooks>,
  "testWebhook" | "listDeliveries" | "getDelivery" | "redeliver" | "redeliverFailed"
>;

/** Routes that send a test delivery, read the delivery log and send deliveries again. */
export const deliveryRoutes = ({ ids, sealing }: Services): Routes => ({
  async testWebhook({ actor, db, now, params }) {
    const webhook = await ownWebhook(db, actor.userId, params.id);
    const event = "webhook.test";
    const data = { event, userId: actor.userId, timestamp: now.toISOString() };
    const [id = ""] = await enqueue(db, ids, {
      occurrence: { event, data, at: now },
      senderId: actor.userId,
      receivers: [webhook],
    });
    const { requestBody: _, ...delivery } = (await findDelivery(db, webhook.id, id)) ?? fail("not_found");
    return { data: { delivery } };
  },

  async listDeliveries({ actor, db, params, query }) {
    const { status, event } = query;
    const { id: webhookId } = await ownWebhook(db, actor.userId, params.id);
    const { rows, nextCursor } = await listPage(newestFirst, query, (limit, afterId) =>
      listDeliveries(db, { webhookId, status, event, limit, afterId }),
    );
    return { data: { deliveries: [...rows], nextCursor } };
  },

  async getDelivery({ actor, db, now, params }) {
    const webhook = await ownWebhook(db, actor.userId, params.id);
    const delivery = (await findDelivery(db, webhook.id, params.deliveryId)) ?? fail("not_found");
    const former = await listFormerSecrets(db, webhook.id, now);
    const keysOf = (sealed: Uint8Array) => signingKeys(sealing.open(sealed, webhook.id));
    const headers = requestHeaders({
      event: delivery.event,
      deliveryId: delivery.id,
      at: now,
      body: delivery.requestBody,
      keys: [keysOf(webhook.secret), ...former.map(keysOf)],
    });
    return { data: { delivery: { ...delivery, requestHeaders: headers } } };
  },

  async redeliver({ actor, db, now, params }) {
    const webhook = await ownWebhook(db, actor.userId, params.id);
    const delivery = (await findDelivery(db, webhook.id, params.deliveryId)) ?? fail("not_found");
    if (delivery.completedAt === null) fail("delivery_under_way");
    const again = await redeliverOne(db, ids, { deliveryId: delivery.id, now });
    // The delivery may have been removed from the log just now.
    return { data: { delivery: presentDelivery(again ?? fail("not_found"), []) } };
  },

  async redeliverFailed({ actor, body, db, now, params }) {
    const webhook = await ownWebhook(db, actor.userId, params.id);
    if (!webhook.active) fail("webhook_inactive");
    const since = parseTimestamp(body.since) ?? now;
    const order = since > now ? null : await orderRecovery(db, { webhookId: webhook.id, since, until: now });
    if (order) await addJob(db, recoverJob, { recoveryId: order.id });
    return { data: { count: order?.count ?? 0, since: since.toISOString() } };
  },
});
