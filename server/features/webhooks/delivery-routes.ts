import { limits } from "../../../contract/limits.ts";
import type { webhooks } from "../../../contract/webhooks.ts";
import { decodeIdCursor, pageOf } from "../../http/cursor.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { addJob } from "../../jobs/add-job.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";
import type { Services } from "../../services.ts";
import { findDelivery, listDeliveries } from "./delivery-log.ts";
import { enqueue } from "./enqueue.ts";
import { presentDelivery } from "./present.ts";
import { recoverJob } from "./recover.ts";
import { orderRecovery, redeliverOne } from "./redeliver-store.ts";
import { ownWebhook } from "./store.ts";

const DELIVERIES = "deliveries";

type Routes = Pick<
  Handlers<typeof webhooks>,
  "testWebhook" | "listDeliveries" | "getDelivery" | "redeliver" | "redeliverFailed"
>;

/** What is sent by hand, the log of what was sent, and sending it again. */
export const deliveryRoutes = ({ ids }: Services): Routes => ({
  async testWebhook({ actor, db, now, params }) {
    const webhook = await ownWebhook(db, actor.userId, params.id);
    const event = "webhook.test";
    const data = { event, userId: actor.userId, timestamp: now.toISOString() };
    const [delivery] = await enqueue(db, ids, { event, data, at: now }, [webhook]);
    return { data: { delivery: presentDelivery(delivery ?? fail("not_found"), []) } };
  },

  async listDeliveries({ actor, db, params, query }) {
    const { status, event, cursor, limit = limits.pageSize } = query;
    const { id: webhookId } = await ownWebhook(db, actor.userId, params.id);
    const afterId = cursor === undefined ? null : decodeIdCursor(DELIVERIES, cursor);
    const found = await listDeliveries(db, { webhookId, status, event, limit: limit + 1, afterId });
    const { rows, nextCursor } = pageOf(found, limit, DELIVERIES, ({ id }) => [id]);
    return { data: { deliveries: [...rows], nextCursor } };
  },

  async getDelivery({ actor, db, params }) {
    const webhook = await ownWebhook(db, actor.userId, params.id);
    return { data: { delivery: (await findDelivery(db, webhook.id, params.deliveryId)) ?? fail("not_found") } };
  },

  async redeliver({ actor, db, now, params }) {
    const webhook = await ownWebhook(db, actor.userId, params.id);
    const delivery = (await findDelivery(db, webhook.id, params.deliveryId)) ?? fail("not_found");
    if (delivery.completedAt === null) fail("delivery_under_way");
    const again = await redeliverOne(db, ids, delivery.id, now);
    // Its time in the log may have ended just now.
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
