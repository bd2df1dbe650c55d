import type { Provocation, Provoking } from "./provoking.ts";

export const webhookErrors = ({ app, asOwner }: Provoking) => {
  async function aWebhook(): Promise<string> {
    const { data } = await asOwner("POST", "/api/webhooks", { body: { url: "https://x.example", events: [] } });
    return String(data.webhook?.id);
  }

  const webhookUrlMustBeHttps = () =>
    asOwner("POST", "/api/webhooks", { body: { url: "http://x.example", events: [] } });

  const limitReached = async () => {
    const user = await app.signUp();
    await app.pool.query(
      `insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', 'wh_' || left(md5($1 || n), 26), 'user_id', $1::text))).*
       from webhooks w, generate_series(1, $2::int) n where w.id = $3`,
      [user.userId, app.services.config.quotas.webhooks, await aWebhook()],
    );
    return app.request("POST", "/api/webhooks", { token: user.token, body: { url: "https://x.example", events: [] } });
  };

  const deliveryUnderWay = async () => {
    const webhook = `/api/webhooks/${await aWebhook()}`;
    const { data } = await asOwner("POST", `${webhook}/test`);
    return asOwner("POST", `${webhook}/deliveries/${data.delivery?.id}/redeliver`);
  };

  const webhookInactive = async () => {
    const webhook = `/api/webhooks/${await aWebhook()}`;
    await asOwner("PATCH", webhook, { body: { active: false } });
    return asOwner("POST", `${webhook}/redeliver-failed`, { body: { since: "2026-01-31T10:30:00+01:00" } });
  };

  return {
    webhook_url_must_be_https: webhookUrlMustBeHttps,
    limit_reached: limitReached,
    delivery_under_way: deliveryUnderWay,
    webhook_inactive: webhookInactive,
    "createWebhook webhook_url_must_be_https": webhookUrlMustBeHttps,
    "createWebhook limit_reached": limitReached,
    "updateWebhook webhook_url_must_be_https": async () =>
      asOwner("PATCH", `/api/webhooks/${await aWebhook()}`, { body: { url: "http://x.example" } }),
    "redeliver delivery_under_way": deliveryUnderWay,
    "redeliverFailed webhook_inactive": webhookInactive,
  } satisfies Record<string, Provocation>;
};
