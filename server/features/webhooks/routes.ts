import { eventNames, events } from "../../../contract/events.ts";
import { limits } from "../../../contract/limits.ts";
import type { Webhook, WebhookFields, webhooks } from "../../../contract/webhooks.ts";
import type { Queryable } from "../../db/database.ts";
import { decodeCursor, pageOf } from "../../http/cursor.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { createAddressRule } from "../../platform/outbound/index.ts";
import type { Services } from "../../services.ts";
import { checkAddress } from "./address.ts";
import { findDelivery, listDeliveries, presentDelivery } from "./delivery-log.ts";
import { enqueue } from "./enqueue.ts";
import { makeSecret } from "./signature.ts";
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
} from "./store.ts";

const WEBHOOKS = "webhooks";
const DELIVERIES = "deliveries";

const catalogue = eventNames.map((name) => {
  const { when, subscribable, data, example } = events[name];
  return { name, when, subscribable, schema: data, example };
});

export const webhookRoutes = ({ config, ids, sealing }: Services): Handlers<typeof webhooks> => {
  const mayGoTo = createAddressRule(config.webhookAllowedNetworks);
  return {
    async listWebhookEvents() {
      return { data: { events: catalogue } };
    },

    async createWebhook({ actor, body, db, now }) {
      checkAddress(body.url, mayGoTo);
      if ((await countWebhooks(db, actor.userId)) >= limits.webhooksPerUser) {
        fail("limit_reached", { details: { limit: limits.webhooksPerUser } });
      }
      const id = ids.next("webhook");
      const secret = makeSecret();
      const row = await insertWebhook(db, {
        id,
        userId: actor.userId,
        url: body.url,
        events: body.events,
        description: body.description ?? "",
        active: body.active ?? true,
        bodyFormat: body.bodyFormat ?? "data",
        secret: sealing.seal(secret, id),
        createdAt: now,
        updatedAt: now,
      });
      return { data: { webhook: presentWebhook(row), secret } };
    },

    async listWebhooks({ actor, db, query }) {
      const limit = query.limit ?? limits.pageSize;
      const found = await listWebhooks(db, actor.userId, limit + 1, afterId(WEBHOOKS, query.cursor));
      const { rows, nextCursor } = pageOf(found, limit, WEBHOOKS, ({ id }) => [id]);
      return { data: { webhooks: rows.map(presentWebhook), nextCursor } };
    },

    async getWebhook({ actor, db, params }) {
      return { data: { webhook: presentWebhook(await own(db, actor.userId, params.id)) } };
    },

    async updateWebhook({ actor, body, db, now, params }) {
      const { url, events, description, active, bodyFormat } = body;
      if (url !== undefined) checkAddress(url, mayGoTo);
      const changes = defined({ url, events, description, active, bodyFormat });
      if (Object.keys(changes).length === 0) {
        return { data: { webhook: presentWebhook(await own(db, actor.userId, params.id)) } };
      }
      const row = await updateWebhook(db, actor.userId, params.id, { ...changes, updatedAt: now });
      return { data: { webhook: presentWebhook(row ?? fail("not_found")) } };
    },

    async deleteWebhook({ actor, db, now, params }) {
      const webhook = await own(db, actor.userId, params.id);
      await deleteWebhook(db, actor.userId, params.id, now);
      return { data: { webhook: presentWebhook(webhook) } };
    },

    async testWebhook({ actor, db, now, params }) {
      const webhook = await own(db, actor.userId, params.id);
      const event = "webhook.test";
      const data = { event, userId: actor.userId, timestamp: now.toISOString() };
      const [delivery] = await enqueue(db, ids, { event, data, at: now }, [webhook]);
      return { data: { delivery: presentDelivery(delivery ?? fail("not_found"), []) } };
    },

    async listDeliveries({ actor, db, params, query }) {
      const { status, event, limit = limits.pageSize } = query;
      const { id: webhookId } = await own(db, actor.userId, params.id);
      const after = afterId(DELIVERIES, query.cursor);
      const found = await listDeliveries(db, { webhookId, status, event, limit: limit + 1, afterId: after });
      const { rows, nextCursor } = pageOf(found, limit, DELIVERIES, ({ id }) => [id]);
      return { data: { deliveries: [...rows], nextCursor } };
    },

    async getDelivery({ actor, db, params }) {
      const webhook = await own(db, actor.userId, params.id);
      return { data: { delivery: (await findDelivery(db, webhook.id, params.deliveryId)) ?? fail("not_found") } };
    },
  };
};

async function own(db: Queryable, userId: string, id: string): Promise<WebhookRow> {
  return (await findWebhook(db, userId, id)) ?? fail("not_found");
}

const afterId = (list: string, cursor: string | undefined): string | null =>
  cursor === undefined ? null : decodeCursor(list, cursor, [""] as const)[0];

/** The fields that were given. */
const defined = (fields: Partial<WebhookFields>): Partial<WebhookFields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  active: row.active,
  bodyFormat: row.bodyFormat,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
