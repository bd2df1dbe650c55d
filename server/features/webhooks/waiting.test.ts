import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";

const app = await start();
const MOST = limits.deliveriesWaitingPerUser;

/** Signs a user up who has a webhook and an estimation; returns what causes deliveries. */
async function makeUser() {
  const user = await app.signUp();
  const post = ({ token }: TestUser, path: string, body?: object) => app.request("POST", path, { token, body });
  const body = { url: "https://example.com/", events: ["estimation.tasks_generated"] };
  const addWebhook = async () => String((await post(user, "/api/webhooks", body)).data.webhook?.id);
  const webhookId = await addWebhook();
  const made = await post(user, "/api/estimations", { title: "A shop" });
  return {
    token: user.token,
    webhookId,
    addWebhook,
    causes: [`/api/webhooks/${webhookId}/test`, `/api/estimations/${made.data.estimation?.id}/tasks/generate`],
    send: (path: string) => post(user, path),
  };
}

/** Makes deliveries that wait for their turn. */
const fill = (webhookId: string, from: number, to: number) =>
  app.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, parked, created_at, next_attempt_at)
     select 'dlv_' || lpad(n::text, 26, '0'), $1, 0, 'webhook.test', true, now(), now() from generate_series($2::int, $3::int) n`,
    [webhookId, from, to],
  );

test("a user with very many waiting deliveries cannot cause more until some are sent, and nobody else is refused", async () => {
  const { webhookId, causes, send } = await makeUser();
  const [first = ""] = causes;
  const { data } = await send(first);
  const redeliver = `/api/webhooks/${webhookId}/deliveries/${data.delivery?.id}/redeliver`;
  await app.pool.query("update webhook_deliveries set completed_at = now(), next_attempt_at = null");
  await fill(webhookId, 1, MOST - 1);
  const all = [...causes, redeliver];
  for (const path of all) expect((await send(path)).status, path).toBeLessThan(300);
  await fill(webhookId, MOST, MOST);
  for (const path of all) {
    const { status, headers, body } = await send(path);
    expect([status, body.message, headers.get("retry-after")], path).toEqual([429, "rate_limited", "60"]);
    expect(body.hint).toContain(`${MOST} deliveries`);
  }
  const other = await makeUser();
  for (const path of other.causes) expect((await other.send(path)).status, path).toBeLessThan(300);
  await app.pool.query("update webhook_deliveries set parked = false where id = $1", [`dlv_${"0".repeat(25)}1`]);
  for (const path of all) expect((await send(path)).status, path).toBeLessThan(300);
});

test("deliveries of deleted webhooks count until they are removed", async () => {
  await app.pool.query("delete from webhook_deliveries");
  const { token, webhookId, addWebhook } = await makeUser();
  await fill(webhookId, 1, MOST);
  expect((await app.request("DELETE", `/api/webhooks/${webhookId}`, { token })).status).toBe(200);
  const test = `/api/webhooks/${await addWebhook()}/test`;
  expect((await app.request("POST", test, { token })).status).toBe(429);
  await app.pool.query("delete from webhooks where id = $1", [webhookId]);
  expect((await app.request("POST", test, { token })).status).toBeLessThan(300);
});
