import type { webhooks } from "../../../contract/endpoints/webhooks.ts";
import { envelopeAliases, eventNames, events } from "../../../contract/events.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { createAddressCheck } from "../../http/outbound-address.ts";
import { makeSecret } from "../../platform/webhook-signature.ts";
import type { Services } from "../../services/index.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { forgetFormerSecrets, replaceSecret } from "./former-secrets.ts";
import { resetHealth } from "./health-store.ts";
import { presentWebhook, presentWebhooks } from "./present.ts";
import { countWebhooks, deleteWebhook, insertWebhook, listWebhooks, ownWebhook, updateWebhook } from "./store.ts";

const newestFirst = byId("webhooks");

const catalogue = eventNames.map((name) => {
  const { when, subscribable, data, example } = events[name];
  return { name, when, subscribable, envelopeAliases: { ...envelopeAliases(name) }, schema: data, example };
});

export const webhookRoutes = (services: Services): Handlers<typeof webhooks> => {
  const { config, ids, sealing } = services;
  const checkAddress = createAddressCheck(
    { allowedNetworks: config.webhookAllowedNetworks, allowedPorts: config.webhookAllowedPorts },
    { path: "/url", example: "https://example.com/hook", notHttps: "webhook_url_must_be_https" },
  );
  return {
    ...deliveryRoutes(services),

    async listWebhookEvents() {
      return { data: { events: catalogue } };
    },

    async createWebhook({ actor, body, db, now }) {
      checkAddress(body.url);
      const used = async () => 1 + (await countWebhooks(db, actor.userId));
      await services.quotas.reserve(db, { quota: "webhooks", used });
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
        secret: await sealing.seal(db, secret, id),
        createdAt: now,
        updatedAt: now,
      });
      return { data: { webhook: await presentWebhook(db, row), secret } };
    },

    async listWebhooks({ actor, db, query }) {
      const { rows, nextCursor } = await listPage(newestFirst, query, (limit, afterId) =>
        listWebhooks(db, actor.userId, limit, afterId),
      );
      return { data: { webhooks: await presentWebhooks(db, rows), nextCursor } };
    },

    async getWebhook({ actor, db, params }) {
      return { data: { webhook: await presentWebhook(db, await ownWebhook(db, actor.userId, params.id)) } };
    },

    async updateWebhook({ actor, body, db, now, params }) {
      const { url, active } = body;
      if (url !== undefined) checkAddress(url);
      if (Object.keys(body).length === 0) {
        return { data: { webhook: await presentWebhook(db, await ownWebhook(db, actor.userId, params.id)) } };
      }
      const { id } = await ownWebhook(db, actor.userId, params.id);
      await resetHealth(db, id, body);
      const row = await updateWebhook(db, actor.userId, id, {
        ...body,
        ...(active ? { deactivatedAt: null } : {}),
        updatedAt: now,
      });
      return { data: { webhook: await presentWebhook(db, row ?? fail("not_found")) } };
    },

    async deleteWebhook({ actor, db, now, params }) {
      const webhook = await presentWebhook(db, await ownWebhook(db, actor.userId, params.id));
      await deleteWebhook(db, actor.userId, webhook.id, now);
      await forgetFormerSecrets(db, webhook.id);
      return { data: { webhook } };
    },

    async rotateWebhookSecret({ actor, db, now, params: { id } }) {
      const secret = makeSecret();
      const sealed = await sealing.seal(db, secret, id);
      const row = await replaceSecret(db, { userId: actor.userId, id, secret: sealed, now });
      return { data: { webhook: await presentWebhook(db, row ?? fail("not_found")), secret } };
    },
  };
};
