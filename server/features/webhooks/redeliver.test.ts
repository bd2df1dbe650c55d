import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Json, start, type TestApp, type TestUser, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { type Receiver, startReceiver } from "../../../tests/support/receiver.ts";
import { inTransaction, isAnybodyWaiting } from "../../../tests/support/transactions.ts";
import { emit } from "./index.ts";

let app: TestApp;
let user: TestUser;
let receiver: Receiver;
let statusToSend: number;

beforeAll(async () => {
  app = await start({ worker: true, config: { webhookMaxAttempts: 1 } });
  receiver = await startReceiver((_, response) => response.writeHead(statusToSend).end());
  receiver.trustedBy(app.services.config.dataDir);
});
beforeEach(async () => {
  await app.pool.query("update webhooks set deleted_at = now() where deleted_at is null");
  user = await app.signUp();
  receiver.requests.length = 0;
  statusToSend = 500;
  // No two tests share an instant.
  await app.clock.advance(1_000);
});
afterAll(() => receiver.close());

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, `/api/webhooks${path}`, { token: user.token, body });

async function createWebhook(more: object = {}): Promise<string> {
  const body = { url: receiver.url, events: ["estimation.tasks_generated", "share.accepted"], ...more };
  const { data, text, status } = await call("POST", "", body);
  expect(status, text).toBe(201);
  return String(data.webhook?.id);
}

const generate = (taskCount: number): Promise<void> =>
  app.services.pool.transaction((tx) =>
    emit(tx, app.services, {
      event: "estimation.tasks_generated",
      data: { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount },
      userIds: [user.userId],
      senderId: user.userId,
      now: app.clock.now(),
    }),
  );

const deliveries = async (webhook: string): Promise<Json[]> =>
  (await call("GET", `/${webhook}/deliveries?limit=100`)).data.deliveries as unknown as Json[];

/** Returns all deliveries of the webhook, newest first, once there are `count` and all have ended. */
const ended = (webhook: string, count: number): Promise<Json[]> =>
  until(async () => {
    // Parked deliveries wait for the next sweep.
    await makeJobsDue(app.pool);
    const all = await deliveries(webhook);
    return all.length === count && all.every(({ completedAt }) => (completedAt as unknown) !== null) && all;
  });

const detail = async (webhook: string, id: unknown): Promise<Json> =>
  (await call("GET", `/${webhook}/deliveries/${id}`)).data.delivery as Json;

const redeliverFailed = (webhook: string, since: Date | string) =>
  call("POST", `/${webhook}/redeliver-failed`, { since: since instanceof Date ? since.toISOString() : since });

describe("redelivering one delivery", () => {
  test.each([500, 200])("sends the same bytes under a new id, whatever its outcome (%s)", async (status) => {
    const webhook = await createWebhook();
    statusToSend = status;
    await generate(3);
    const [first] = await ended(webhook, 1);
    statusToSend = 200;
    const { status: accepted, data } = await call("POST", `/${webhook}/deliveries/${first?.id}/redeliver`);
    expect([accepted, data.delivery]).toEqual([
      202,
      {
        id: expect.stringMatching(/^wd_[0-9a-z]{26}$/),
        webhookId: webhook,
        event: "estimation.tasks_generated",
        status: "pending",
        attemptCount: 0,
        nextAttemptAt: app.clock.now().toISOString(),
        createdAt: app.clock.now().toISOString(),
        completedAt: null,
        redeliveryOf: first?.id,
        attempts: [],
      },
    ]);
    const [second] = await ended(webhook, 2);
    expect(second).toMatchObject({ id: data.delivery?.id, status: "delivered", redeliveryOf: first?.id });
    const [one, two] = receiver.requests;
    expect(two?.body).toBe(one?.body);
    expect(two?.headers["x-service-delivery"]).toBe(second?.id);
    expect(one?.headers["x-service-delivery"]).toBe(first?.id);
    expect((await detail(webhook, second?.id)).requestBody).toBe(one?.body);
  });

  test("puts the id of the new delivery into an envelope and changes no other byte, even the second time", async () => {
    const webhook = await createWebhook({ bodyFormat: "envelope" });
    await generate(3);
    const [first] = await ended(webhook, 1);
    await call("PATCH", `/${webhook}`, { bodyFormat: "data" });
    await call("POST", `/${webhook}/deliveries/${first?.id}/redeliver`);
    const [second] = await ended(webhook, 2);
    await call("POST", `/${webhook}/deliveries/${second?.id}/redeliver`);
    const [third] = await ended(webhook, 3);
    const [one, two, three] = receiver.requests.map(({ body }) => body);
    expect(two).toBe(one?.replace(String(first?.id), String(second?.id)));
    expect(three).toBe(one?.replace(String(first?.id), String(third?.id)));
    expect(JSON.parse(three ?? "")).toMatchObject({ id: third?.id, createdAt: first?.createdAt });
    expect(third?.redeliveryOf).toBe(second?.id);
  });

  test("is refused until the delivery under way has ended", async () => {
    const webhook = await createWebhook();
    const id = app.services.ids.next("delivery");
    await app.pool.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event, body, status, next_attempt_at, created_at)
       values ($1, $2, 0, 'webhook.test', '{}', 'retry_scheduled', now(), now())`,
      [id, webhook],
    );
    const { status, body } = await call("POST", `/${webhook}/deliveries/${id}/redeliver`);
    expect([status, body.message]).toEqual([409, "delivery_under_way"]);
    expect(await deliveries(webhook)).toHaveLength(1);
  });

  test("reaches an inactive webhook, because it was requested by hand, and works after the event was removed", async () => {
    const webhook = await createWebhook();
    await generate(3);
    const [first] = await ended(webhook, 1);
    await call("PATCH", `/${webhook}`, { active: false });
    statusToSend = 200;
    await call("POST", `/${webhook}/deliveries/${first?.id}/redeliver`);
    const [second] = await ended(webhook, 2);
    expect(second?.status).toBe("delivered");
    await app.pool.query("delete from webhook_events");
    await call("POST", `/${webhook}/deliveries/${second?.id}/redeliver`);
    await ended(webhook, 3);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(receiver.requests).toHaveLength(3);
  });

  test("of a delivery that is being removed from the log gets 404", async () => {
    const webhook = await createWebhook();
    await generate(3);
    const [first] = await ended(webhook, 1);
    const { statusToSend } = await inTransaction(app.pool, async (client) => {
      // Others can still read, and so find the delivery, but not write.
      await client.query("lock table webhook_deliveries in exclusive mode");
      await client.query("delete from webhook_deliveries where id = $1", [first?.id]);
      const statusToSend = call("POST", `/${webhook}/deliveries/${first?.id}/redeliver`);
      await until(() => isAnybodyWaiting(app.pool));
      return { statusToSend };
    });
    const { status, body } = await statusToSend;
    expect([status, body.message]).toEqual([404, "not_found"]);
    expect(await deliveries(webhook)).toEqual([]);
  });

  test("finds a delivery only under its own webhook", async () => {
    const [webhook, other] = [await createWebhook(), await createWebhook({ events: [] })];
    await generate(3);
    const [first] = await ended(webhook, 1);
    expect((await call("POST", `/${other}/deliveries/${first?.id}/redeliver`)).status).toBe(404);
    expect(await deliveries(other)).toEqual([]);
  });
});

describe("redelivering all failures since a time", () => {
  test("sends failures of this webhook at that time or later, and nothing that was delivered", async () => {
    const [webhook, other] = [await createWebhook(), await createWebhook({ url: `${receiver.url}/other` })];
    await generate(1);
    await ended(webhook, 1);
    await app.clock.advance(60_000);
    const since = app.clock.now();
    await generate(2);
    await ended(webhook, 2);
    await app.clock.advance(1);
    await generate(3);
    await ended(webhook, 3);
    statusToSend = 200;
    await generate(4);
    await ended(webhook, 4);
    await ended(other, 4);
    receiver.requests.length = 0;

    // The same instant in another time zone, to the microsecond.
    const local = new Date(since.getTime() + 5.5 * 3_600_000).toISOString().replace("Z", "000+05:30");
    const { status, data } = await redeliverFailed(webhook, local);
    expect([status, data]).toEqual([202, { count: 2, since: since.toISOString() }]);
    const all = await ended(webhook, 6);
    expect(receiver.requests.map(({ path, body }) => [path, JSON.parse(body).taskCount])).toEqual(
      expect.arrayContaining([
        ["/", 2],
        ["/", 3],
      ]),
    );
    expect(receiver.requests).toHaveLength(2);
    expect(all.slice(0, 2).map(({ status, redeliveryOf }) => [status, redeliveryOf])).toEqual([
      ["delivered", all[3]?.id],
      ["delivered", all[4]?.id],
    ]);
    expect(await deliveries(other)).toHaveLength(4);
    expect((await redeliverFailed(webhook, since)).data.count).toBe(0);
  });

  test("creates no duplicates when requested twice, before the first is finished or at the same time", async () => {
    const webhook = await createWebhook();
    for (const taskCount of [1, 2, 3]) await generate(taskCount);
    await ended(webhook, 3);
    statusToSend = 200;
    const since = new Date(app.clock.now().getTime() - 1_000);
    const counts = await Promise.all([1, 2, 3, 4].map(() => redeliverFailed(webhook, since)));
    expect(counts.map(({ data }) => data.count as unknown as number).toSorted()).toEqual([0, 0, 0, 3]);
    await ended(webhook, 6);
    await until(async () => (await app.pool.query("select from webhook_recoveries")).rowCount === 0);
    expect(await deliveries(webhook)).toHaveLength(6);
    expect(receiver.requests.slice(3)).toHaveLength(3);
  });

  test("sends a body once even if it failed again, and not at all if it was delivered since", async () => {
    const webhook = await createWebhook();
    for (const taskCount of [1, 2]) await generate(taskCount);
    const [second, first] = await ended(webhook, 2);
    const since = app.clock.now();
    await app.clock.advance(1_000);
    await call("POST", `/${webhook}/deliveries/${first?.id}/redeliver`);
    const [again] = await ended(webhook, 3);
    statusToSend = 200;
    await call("POST", `/${webhook}/deliveries/${second?.id}/redeliver`);
    await ended(webhook, 4);
    await app.clock.advance(1_000);
    expect((await redeliverFailed(webhook, since)).data.count).toBe(1);
    const [last] = await ended(webhook, 5);
    expect(last).toMatchObject({ redeliveryOf: again?.id, status: "delivered" });
    expect((await redeliverFailed(webhook, since)).data.count).toBe(0);
  });

  test("returns 0 for a time in the future and for one after the last failure", async () => {
    const webhook = await createWebhook();
    await generate(1);
    await ended(webhook, 1);
    for (const ms of [1, 86_400_000]) {
      const { status, data } = await redeliverFailed(webhook, new Date(app.clock.now().getTime() + ms));
      expect([status, data.count]).toEqual([202, 0]);
    }
    expect((await app.pool.query("select from webhook_recoveries")).rowCount).toBe(0);
    await app.clock.advance(1);
    expect((await redeliverFailed(webhook, app.clock.now())).data.count).toBe(0);
  });

  test("is refused for an inactive webhook and for an invalid time", async () => {
    const webhook = await createWebhook();
    await generate(1);
    await ended(webhook, 1);
    for (const since of ["yesterday", "2026-02-30T00:00:00Z", "2026-01-31", 7]) {
      const { status, body } = await call("POST", `/${webhook}/redeliver-failed`, { since });
      expect([status, body.errors?.[0]?.path]).toEqual([400, "/since"]);
    }
    await call("PATCH", `/${webhook}`, { active: false });
    expect((await redeliverFailed(webhook, "2020-01-01T00:00:00Z")).body.message).toBe("webhook_inactive");
    expect(await deliveries(webhook)).toHaveLength(1);
  });

  test("of 20,000 deliveries returns at once and sends them page by page, no faster than the endpoint accepts them", async () => {
    const webhook = await createWebhook();
    await app.pool.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event, body, status, attempt_count, created_at, completed_at)
       select 'wd_' || lpad(n::text, 26, '0'), $1, n, 'webhook.test', '{"n":' || n || '}', 'failed', 3, $2, $2
       from generate_series(1, 20000) n`,
      [webhook, app.clock.now()],
    );
    await app.pool.query("analyze webhook_deliveries");
    statusToSend = 200;
    const { data } = await redeliverFailed(webhook, app.clock.now());
    expect(data.count).toBe(20_000);
    await until(async () => (await app.pool.query("select from webhook_recoveries")).rowCount === 0);
    const { rows } = await app.pool.query(
      "select count(*)::int as made, count(distinct redelivery_of)::int as bodies from webhook_deliveries where redelivery_of is not null and webhook_id = $1",
      [webhook],
    );
    expect(rows[0]).toEqual({ made: 20_000, bodies: 20_000 });
    const leased = await app.pool.query("select from webhook_deliveries where lease is not null");
    expect(leased.rowCount).toBeLessThanOrEqual(400);
    // Deleting the webhook drops what was not sent yet.
    expect((await call("DELETE", `/${webhook}`)).status).toBe(200);
  });
});
