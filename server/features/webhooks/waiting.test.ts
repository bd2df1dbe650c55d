import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countDueJobs, countJobs } from "../../../tests/support/jobs.ts";
import { plansOf, rowsRead } from "../../../tests/support/plans.ts";
import { setReader } from "../estimations/reader-store.ts";
import { countWaiting, removeDeleted, removeDeletedJob } from "./store.ts";

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
    userId: user.userId,
    token: user.token,
    webhookId,
    estimationId: String(made.data.estimation?.id),
    addWebhook,
    causes: [`/api/webhooks/${webhookId}/test`, `/api/estimations/${made.data.estimation?.id}/tasks/generate`],
    send: (path: string) => post(user, path),
  };
}

/** Makes deliveries that wait for their turn, caused by the webhook's owner or by another user. */
const fill = (webhookId: string, from: number, to: number, { byOwner = true } = {}) =>
  app.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, due_at, caused_by_owner, created_at, next_attempt_at)
     select 'dlv_' || lpad(n::text, 26, '0'), $1, -n, 'webhook.test', now(), $4, now(), now() from generate_series($2::int, $3::int) n`,
    [webhookId, from, to, byOwner],
  );

test("a user with very many waiting deliveries cannot cause more until some are sent; other users are not refused", async () => {
  const { webhookId, causes, send } = await makeUser();
  const [first = ""] = causes;
  const { data } = await send(first);
  const redeliver = `/api/webhooks/${webhookId}/deliveries/${data.delivery?.id}/redeliver`;
  await app.pool.query("update webhook_deliveries set completed_at = now(), due_at = null, next_attempt_at = null");
  const all = [...causes, redeliver];
  await fill(webhookId, 1, MOST - all.length);
  for (const path of all) expect((await send(path)).status, path).toBeLessThan(300);
  for (const path of all) {
    const { status, headers, body } = await send(path);
    expect([status, body.message, headers.get("retry-after")], path).toEqual([429, "rate_limited", "60"]);
    expect(body.hint).toContain(`${MOST} deliveries`);
  }
  const other = await makeUser();
  for (const path of other.causes) expect((await other.send(path)).status, path).toBeLessThan(300);
  const sent = all.map((_, at) => `dlv_${"0".repeat(25)}${at + 1}`);
  await app.pool.query("update webhook_deliveries set due_at = null where id = any($1)", [sent]);
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

test("the deliveries of deleted webhooks are removed soon, by one job", async () => {
  const { token, webhookId, addWebhook } = await makeUser();
  const second = await addWebhook();
  const remove = (id: string) => app.request("DELETE", `/api/webhooks/${id}`, { token });
  await app.pool.query("delete from job_leases");
  await remove(webhookId);
  await remove(second);
  await remove(second);
  expect(await countJobs(app.pool, removeDeletedJob.name)).toBe(1);

  const working = await start({ worker: true });
  const user = await working.signUp();
  const body = { url: "https://127.0.0.1:9/", events: [] };
  const made = await working.request("POST", "/api/webhooks", { token: user.token, body });
  const path = `/api/webhooks/${made.data.webhook?.id}`;
  await working.request("POST", `${path}/test`, { token: user.token });
  expect((await working.request("DELETE", path, { token: user.token })).status).toBe(200);
  await until(async () => (await working.pool.query("select from webhooks")).rowCount === 0);
  expect((await working.pool.query("select from webhook_deliveries")).rowCount).toBe(0);
});

test("one such job runs at a time, and webhooks deleted meanwhile are handled after it", async () => {
  const working = await start({ worker: true });
  const { token } = await working.signUp();
  const { pool } = working;
  const add = async () => {
    const { data } = await working.request("POST", "/api/webhooks", {
      ...{ token, body: { url: "https://127.0.0.1:9/", events: [] } },
    });
    return `/api/webhooks/${data.webhook?.id}`;
  };
  // A removal takes as long as the test holds the lock.
  await pool.query(`create function wait_for_the_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(4711); return null; end $$`);
  await pool.query(
    "create trigger slow before delete on webhook_deliveries for each statement execute function wait_for_the_test()",
  );
  const holder = await pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("select pg_advisory_lock(4711)");
  const running = async () =>
    (await pool.query("select from job_leases where name = $1 and lease is not null", [removeDeletedJob.name]))
      .rowCount;
  const paths = [await add(), await add(), await add(), await add()];
  const [kept = "", first = "", ...others] = paths;
  await working.request("DELETE", first, { token });
  await until(async () => (await running()) === 1);
  for (const path of others) {
    expect((await working.request("DELETE", path, { token })).status).toBe(200);
    // The worker takes jobs in their order: once it has sent this, it has met the removal before it.
    const { data } = await working.request("POST", `${kept}/test`, { token });
    const delivery = `${kept}/deliveries/${data.delivery?.id}`;
    await until(
      async () => Number((await working.request("GET", delivery, { token })).data.delivery?.attemptCount) > 0,
    );
    expect(await running()).toBe(1);
  }
  await holder.query("select pg_advisory_unlock(4711)");
  await until(async () => (await pool.query("select from webhooks")).rowCount === 1);
  await until(async () => (await countDueJobs(pool, removeDeletedJob.name)) === 0);
});

test("deliveries of a deleted webhook that are locked during the removal are removed soon afterwards", async () => {
  const working = await start({ worker: true });
  const { token } = await working.signUp();
  const { pool } = working;
  const body = { url: "https://127.0.0.1:9/", events: [] };
  const { data } = await working.request("POST", "/api/webhooks", { token, body });
  const path = `/api/webhooks/${data.webhook?.id}`;
  await working.request("POST", `${path}/test`, { token });
  const writer = await pool.connect();
  await writer.query("begin");
  await writer.query("select from webhook_deliveries for update");
  expect((await working.request("DELETE", path, { token })).status).toBe(200);
  await until(async () => (await countDueJobs(pool, removeDeletedJob.name)) === 0);
  expect((await pool.query("select from webhooks")).rowCount).toBe(1);
  await writer.query("rollback");
  writer.release();
  await until(async () => (await pool.query("select from webhooks")).rowCount === 0);
  await until(async () => (await countJobs(pool, removeDeletedJob.name)) === 0);
});

test("only deliveries that the webhook's owner caused count", async () => {
  const owner = await makeUser();
  const editor = await makeUser();
  await app.pool.query("delete from webhook_deliveries");
  const seat = { estimationId: owner.estimationId, userId: editor.userId };
  await setReader(app.services.pool, seat, { shared: "editor" });
  const generate = ({ token }: { token: string }) =>
    app.request("POST", `/api/estimations/${owner.estimationId}/tasks/generate`, { token });
  const caused = async () =>
    (
      await app.pool.query(
        "select event, caused_by_owner as own from webhook_deliveries where webhook_id = $1 order by id",
        [owner.webhookId],
      )
    ).rows;
  await generate(owner);
  await generate(editor);
  const [test = ""] = owner.causes;
  const { data } = await owner.send(test);
  await app.pool.query("update webhook_deliveries set completed_at = now(), due_at = null, next_attempt_at = null");
  await owner.send(`/api/webhooks/${owner.webhookId}/deliveries/${data.delivery?.id}/redeliver`);
  const generated = "estimation.tasks_generated";
  expect(await caused()).toEqual([
    { event: generated, own: true },
    { event: generated, own: false },
    { event: "webhook.test", own: true },
    { event: "webhook.test", own: true },
  ]);

  await fill(owner.webhookId, 1, MOST, { byOwner: false });
  for (const path of owner.causes) expect((await owner.send(path)).status, path).toBeLessThan(300);
});

test("waiting deliveries are counted through an index, however many webhooks were deleted and whatever waits for others", async () => {
  await app.pool.query("delete from webhook_deliveries");
  const { userId, webhookId } = await makeUser();
  const other = await makeUser();
  await app.pool.query(
    `insert into webhooks (id, user_id, url, events, description, active, body_format, secret, created_at, updated_at, deleted_at)
     select 'wh_' || lpad(n::text, 26, '0'), $1, '', '{}', '', false, 'data', '', now(), now(), now() from generate_series(1, 6000) n`,
    [userId],
  );
  await fill(webhookId, 1, 10);
  await fill(other.webhookId, 11, 100_000);
  await app.pool.query("analyze webhooks, webhook_deliveries");
  const [plan = ""] = await plansOf(app.pool, async (db) => expect(await countWaiting(db, userId, MOST)).toBe(10));
  expect(plan).toMatch(/Index Only Scan using webhook_deliveries_waiting|Index Scan using webhook_deliveries_waiting/);
  expect(plan).not.toMatch(/(Seq|Bitmap Heap) Scan on webhook_deliveries/);
});

test.each([1, 500])(
  "the deliveries of many deleted webhooks are found without reading those of %i webhooks of others",
  async (others) => {
    await app.pool.query("delete from webhook_deliveries");
    await app.pool.query("delete from webhooks");
    const { userId } = await makeUser();
    await app.pool.query(
      `insert into webhooks (id, user_id, url, events, description, active, body_format, secret, created_at, updated_at, deleted_at)
       select 'wh_' || n, $1, '', '{}', '', false, 'data', '', now(), now(), case when n > $2 then now() end
       from generate_series(1, 400 + $2::int) n`,
      [userId, others],
    );
    await app.pool.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event, created_at)
       select 'dlv_' || n, 'wh_' || 1 + n % $1::int, n, 'webhook.test', now() from generate_series(1, 50000) n`,
      [others],
    );
    await fill(`wh_${others + 1}`, 1, 10);
    await app.pool.query("analyze webhooks, webhook_deliveries");
    const read = await rowsRead(app.pool, async (db) => expect(await removeDeleted(db, 1_000)).toBe(10));
    expect(read).toBeLessThan(10_000);
    expect((await app.pool.query("select from webhooks where deleted_at is not null")).rowCount).toBe(0);
  },
);
