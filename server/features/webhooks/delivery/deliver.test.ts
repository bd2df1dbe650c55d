import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EventData, SubscribableEvent } from "../../../../contract/events.ts";
import { type Json, start, type TestApp, type TestUser, until } from "../../../../tests/harness.ts";
import { makeJobsDue } from "../../../../tests/support/jobs.ts";
import { sumOf } from "../../../../tests/support/metrics.ts";
import { type Receiver, type Respond, startReceiver } from "../../../../tests/support/receiver.ts";
import { createResolve } from "../../../platform/outbound/resolve.ts";
import { emit } from "../index.ts";

let app: TestApp;
let user: TestUser;
let receiver: Receiver;
let respond: Respond;

beforeAll(async () => {
  app = await start({ worker: true });
  receiver = await startReceiver((...exchange) => respond(...exchange));
  receiver.trustedBy(app.services.config.dataDir);
});
beforeEach(async () => {
  user = await app.signUp();
  receiver.requests.length = 0;
  respond = (_, response) => response.end("ok");
});
afterEach(async () => {
  // Later tests make jobs due, so none that sends something may be left.
  await app.pool.query("update webhooks set deleted_at = now() where deleted_at is null");
});
afterAll(() => receiver.close());

const GENERATED: EventData<"estimation.tasks_generated"> = {
  estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd",
  taskCount: 3,
};

async function createWebhook(more: object = {}): Promise<{ id: string; secret: string }> {
  const body = { url: `${receiver.url}/hook`, events: ["estimation.tasks_generated"], ...more };
  const { data, text, status } = await app.request("POST", "/api/webhooks", { token: user.token, body });
  expect(status, text).toBe(201);
  return { id: String(data.webhook?.id), secret: String(data.secret) };
}

const emitGenerated = (userIds = [user.userId]): Promise<void> =>
  app.services.pool.transaction((tx) =>
    emit(tx, app.services, {
      event: "estimation.tasks_generated",
      data: GENERATED,
      userIds,
      senderId: user.userId,
      now: app.clock.now(),
    }),
  );

const databaseTime = async (): Promise<string> =>
  (await app.pool.query("select clock_timestamp()::text as at")).rows[0].at;

async function deliveries(webhookId: string): Promise<Json[]> {
  const { data } = await app.request("GET", `/api/webhooks/${webhookId}/deliveries`, { token: user.token });
  return data.deliveries as unknown as Json[];
}

/** The webhook's only delivery, once it is in one of `states`. */
const delivery = (webhookId: string, ...states: string[]): Promise<Json> =>
  until(async () => (await deliveries(webhookId)).find(({ status }) => states.includes(String(status))));

/** Returns how many attempts were counted, by what they led to. */
async function counted(): Promise<(number | undefined)[]> {
  const text = await app.services.metrics.registry.metrics();
  const outcomes = ["delivered", "retry_scheduled", "failed"];
  return outcomes.map((outcome) => sumOf(text, "estimation_delivery_attempts_total", { outcome }));
}

test("every attempt is counted by what it led to", async () => {
  const before = await counted();
  respond = (_, response) => response.writeHead(500).end();
  const { id } = await createWebhook();
  await emitGenerated();
  await until(async () => {
    await makeJobsDue(app.pool);
    const failed = "select from webhook_deliveries where webhook_id = $1 and status = 'failed'";
    return (await app.pool.query(failed, [id])).rowCount === 1;
  });
  respond = (_, response) => response.end("ok");
  await emitGenerated();
  await delivery(id, "delivered");
  const after = await counted();
  expect(after.map((count, at) => Number(count) - Number(before[at]))).toEqual([1, 2, 1]);
});

describe("a receiver that asks for a pause", () => {
  const DAY_S = 86_400;
  const inSeconds = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1_000);

  test.each([
    ["in seconds, gets the next attempt after it", 503, () => "600", 600],
    ["as a date, gets it after that", 429, () => inSeconds(900).toUTCString(), 900],
    ["shorter than the schedule, gets it by the schedule", 429, () => "5", 60],
    ["of a day, gets it then", 503, () => String(DAY_S), DAY_S],
    ["of more than a day, gets it after a day", 503, () => String(DAY_S + 1), DAY_S],
    ["that nobody understands, gets it by the schedule", 503, () => "later", 60],
    ["with another status, gets it by the schedule", 500, () => "600", 60],
  ])("%s", async (_, status, header, seconds) => {
    respond = (__, response) =>
      response.writeHead(status, { "Retry-After": header(), Date: inSeconds(0).toUTCString() }).end();
    const { id } = await createWebhook();
    await emitGenerated();
    const waiting = await delivery(id, "retry_scheduled");
    expect(waiting).toMatchObject({ attemptCount: 1, nextAttemptAt: inSeconds(seconds).toISOString() });
  });

  test("uses up its attempts like any other", async () => {
    respond = (_, response) => response.writeHead(503, { "Retry-After": "600" }).end();
    const { id } = await createWebhook();
    await emitGenerated();
    await until(async () => {
      await makeJobsDue(app.pool);
      return String((await deliveries(id))[0]?.status) === "failed";
    });
    expect(await delivery(id, "failed")).toMatchObject({ attemptCount: 3, nextAttemptAt: null });
  });
});

describe("a delivery", () => {
  test("is a POST of the event's data with exactly the specified headers and a signature that any receiver can check", async () => {
    const { id, secret } = await createWebhook();
    await emitGenerated();
    const logged = await delivery(id, "delivered");
    expect(receiver.requests).toHaveLength(1);
    const [{ method, path, headers, headerNames, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    expect([method, path]).toEqual(["POST", "/hook"]);
    expect(body).toBe(JSON.stringify(GENERATED));
    expect(headerNames.toSorted()).toEqual([
      "Content-Type",
      "User-Agent",
      "X-Service-Delivery",
      "X-Service-Event",
      "X-Service-Signature",
      "connection",
      "content-length",
      "host",
      "webhook-id",
      "webhook-signature",
      "webhook-timestamp",
    ]);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["user-agent"]).toBe("Service-Webhooks/1.0");
    expect(headers["x-service-event"]).toBe("estimation.tasks_generated");
    expect(headers["x-service-delivery"]).toBe(logged.id);
    expect(headers["x-service-signature"]).toBe(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    expect(headers["webhook-id"]).toBe(logged.id);
    const timestamp = headers["webhook-timestamp"];
    expect(Number(timestamp)).toBe(Math.floor(app.clock.now().getTime() / 1000));
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const expected = createHmac("sha256", key).update(`${logged.id}.${timestamp}.${body}`).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  });

  test("is logged with its attempt and the response", async () => {
    respond = (_, response) => response.writeHead(201, { "X-Note": "välkommen" }).end("a\u0000b☃");
    const { id } = await createWebhook();
    await emitGenerated();
    const logged = await delivery(id, "delivered");
    const now = app.clock.now().toISOString();
    expect(logged).toEqual({
      id: expect.stringMatching(/^wd_[0-9a-z]{26}$/),
      webhookId: id,
      event: "estimation.tasks_generated",
      status: "delivered",
      attemptCount: 1,
      nextAttemptAt: null,
      createdAt: now,
      completedAt: now,
      redeliveryOf: null,
      attempts: [
        {
          number: 1,
          startedAt: now,
          durationMs: expect.any(Number),
          responseStatus: 201,
          responseHeaders: expect.objectContaining({ "x-note": "välkommen" }),
          responseBody: "a\ufffdb☃",
          error: null,
        },
      ],
    });
    const one = await app.request("GET", `/api/webhooks/${id}/deliveries/${logged.id}`, { token: user.token });
    expect(one.data.delivery).toEqual({
      ...logged,
      requestBody: JSON.stringify(GENERATED),
      requestHeaders: expect.objectContaining({ "webhook-id": expect.any(String) }),
    });
  });

  test("is logged without credentials and large headers of the response", async () => {
    respond = (_, response) =>
      response
        .writeHead(200, {
          "Set-Cookie": "sid=1",
          Authorization: "Basic YTpi",
          "X-Large": "x".repeat(9_000),
          "X-Note": "a",
        })
        .end("ok");
    const { id } = await createWebhook();
    await emitGenerated();
    const headers = (await delivery(id, "delivered")).attempts?.[0]?.responseHeaders;
    expect(Object.keys(headers ?? {})).toEqual(expect.arrayContaining(["date", "x-note"]));
    for (const name of ["set-cookie", "authorization", "x-large"]) expect(headers).not.toHaveProperty(name);
  });

  test("leaves no lease, and no longer counts as under way", async () => {
    const { id } = await createWebhook();
    await emitGenerated();
    await delivery(id, "delivered");
    const { rows } = await app.pool.query(
      `select d.lease, d.leased_until, d.due_at, d.lease_is_slow, h.under_way, o.under_way as of_owner, o.slow_under_way as slow
       from webhook_deliveries d join webhook_health h using (webhook_id) join webhooks w on w.id = webhook_id
       join webhook_owners o using (user_id) where webhook_id = $1`,
      [id],
    );
    const none = { lease: null, leased_until: null, due_at: null, lease_is_slow: false };
    expect(rows).toEqual([{ ...none, under_way: 0, of_owner: 0, slow: 0 }]);
  });

  test("has the envelope if the webhook asks for it, with the same id", async () => {
    const { id } = await createWebhook({ bodyFormat: "envelope" });
    await emitGenerated();
    const logged = await delivery(id, "delivered");
    expect(receiver.requests[0]?.body).toBe(
      JSON.stringify({ id: logged.id, event: logged.event, createdAt: logged.createdAt, data: GENERATED }),
    );
  });

  test("of share.accepted names the accepting user in the envelope, and keeps the older field", async () => {
    const { id } = await createWebhook({ bodyFormat: "envelope", events: ["share.accepted"] });
    const data = { shareId: "shr_1", estimationId: "est_1", accepterEmail: user.userId };
    await app.services.pool.transaction((tx) =>
      emit(tx, app.services, {
        event: "share.accepted",
        data,
        userIds: [user.userId],
        senderId: user.userId,
        now: app.clock.now(),
      }),
    );
    await delivery(id, "delivered");
    expect(JSON.parse(receiver.requests[0]?.body ?? "").data).toEqual({ ...data, accepterUserId: user.userId });
  });

  test.each([
    ["invalid UTF-8", Buffer.from([0xff, 0xfe, 0x41]), "\ufffd\ufffdA"],
    ["a character cut in two by the limit", Buffer.from(`${"x".repeat(4095)}☃`), "x".repeat(4095)],
    ["nothing", Buffer.alloc(0), ""],
  ])("accepts a response of %s", async (_, sent, logged) => {
    respond = (_received, response) => response.end(sent);
    const { id } = await createWebhook();
    await emitGenerated();
    expect((await delivery(id, "delivered")).attempts?.[0]?.responseBody).toBe(logged);
  });
});

describe("a delivery that fails", () => {
  test("is attempted three times on the schedule, with the same id and body and a new signature each time, then is failed", async () => {
    respond = (_, response) => response.writeHead(500).end("no");
    const { id } = await createWebhook();
    const before = await databaseTime();
    await emitGenerated();
    const at = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();

    const first = await delivery(id, "retry_scheduled");
    expect(first).toMatchObject({ attemptCount: 1, nextAttemptAt: at(60_000), completedAt: null });
    const { rows } = await app.pool.query(
      `select due_at - interval '1 minute' between $1 and clock_timestamp() + interval '1 ms' as "isRight"
       from webhook_deliveries where webhook_id = $2`,
      [before, id],
    );
    expect(rows).toEqual([{ isRight: true }]);

    await app.clock.advance(60_000);
    await makeJobsDue(app.pool);
    await until(async () => (await deliveries(id))[0]?.attemptCount === (2 as unknown as Json));
    expect((await deliveries(id))[0]).toMatchObject({ status: "retry_scheduled", nextAttemptAt: at(300_000) });

    await app.clock.advance(300_000);
    await makeJobsDue(app.pool);
    const last = await delivery(id, "failed");
    expect(last).toMatchObject({ attemptCount: 3, nextAttemptAt: null, completedAt: at(0) });
    const attempts = last.attempts as unknown as Json[];
    expect(attempts.map(({ number, responseStatus, error }) => [number, responseStatus, error])).toEqual(
      [1, 2, 3].map((number) => [number, 500, "status"]),
    );

    await makeJobsDue(app.pool);
    expect(receiver.requests).toHaveLength(3);
    const sent = (name: string) => new Set(receiver.requests.map(({ headers }) => headers[name]));
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    for (const name of ["x-service-delivery", "webhook-id", "x-service-signature"]) expect(sent(name).size).toBe(1);
    for (const name of ["webhook-timestamp", "webhook-signature"]) expect(sent(name).size).toBe(3);
  });

  describe("to an unusable address", () => {
    const SLOW_NAME = "slow.name.invalid";
    let usual: TestApp;
    let resolveSlowName: () => Promise<void>;
    beforeAll(async () => {
      usual = app;
      const others = createResolve();
      app = await start({
        worker: true,
        config: { webhookAllowedNetworks: [], webhookMaxAttempts: 2, webhookRetryDelaysSeconds: [600] },
        resolve(name, options, callback) {
          if (name !== SLOW_NAME) return others(name, options, callback);
          resolveSlowName().then(() => callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []));
        },
      });
    });
    afterAll(() => {
      app = usual;
    });

    test("does not distinguish a name that resolves to the internal network from one that does not exist", async () => {
      const inside = await createWebhook({ url: "https://localhost:8443/" });
      const nowhere = await createWebhook({ url: "https://no.such.name.invalid:8443/" });
      await emitGenerated();
      const [first, second] = await Promise.all([inside, nowhere].map(({ id }) => delivery(id, "retry_scheduled")));
      expect(first?.attempts?.[0]).toEqual({
        number: 1,
        startedAt: app.clock.now().toISOString(),
        durationMs: 0,
        responseStatus: null,
        responseHeaders: null,
        responseBody: null,
        error: "no_usable_address",
      });
      expect(second?.attempts).toEqual(first?.attempts);
    });

    test("does not reveal how long it took to resolve its name", async () => {
      // The name takes less than an attempt may, and the next attempt is made due by hand long before its time.
      const [delayMs, tookMs] = [600_000, 5_000];
      const { id } = await createWebhook({ url: `https://${SLOW_NAME}:8443/` });
      resolveSlowName = () => app.clock.advance(tookMs);
      await emitGenerated();
      const waiting = await delivery(id, "retry_scheduled");
      const msOf = (text: unknown) => Date.parse(String(text));
      expect(msOf(waiting.nextAttemptAt) - msOf(waiting.attempts?.[0]?.startedAt)).toBe(delayMs);
      // It begins when that says, and not later by what the name took.
      const { rows } = await app.pool.query(
        `select due_at <= clock_timestamp() + $1 * interval '1 ms' as "isRight" from webhook_deliveries where id = $2`,
        [delayMs - tookMs, waiting.id],
      );
      expect(rows).toEqual([{ isRight: true }]);
      await app.clock.advance(delayMs);
      await makeJobsDue(app.pool);
      const failed = await delivery(id, "failed");
      expect(failed.completedAt).toBe(failed.attempts?.[1]?.startedAt);
      expect(app.clock.now().getTime() - msOf(failed.completedAt)).toBe(tookMs);
    });
  });

  describe("and has five attempts", () => {
    let usual: TestApp;
    beforeAll(async () => {
      usual = app;
      app = await start({ worker: true, config: { webhookMaxAttempts: 5 } });
      receiver.trustedBy(app.services.config.dataDir);
    });
    afterAll(() => {
      app = usual;
    });

    test("waits 1, 5 and 30 minutes, then 30 before each further attempt", async () => {
      // A session expires sooner.
      user = { ...user, token: await app.makeKey(user, ["webhooks:manage"]) };
      respond = (_, response) => response.writeHead(500).end();
      const { id } = await createWebhook();
      let before = await databaseTime();
      await emitGenerated();
      for (const [made, minutes] of [1, 5, 30, 30].entries()) {
        const next = new Date(app.clock.now().getTime() + minutes * 60_000).toISOString();
        const scheduled = { status: "retry_scheduled", attemptCount: made + 1, nextAttemptAt: next };
        const logged = await until(async () => (await deliveries(id)).find((one) => Number(one.attemptCount) > made));
        expect(logged).toMatchObject(scheduled);
        const { rows } = await app.pool.query(
          `select due_at - $2 * interval '1 minute' between $1 and clock_timestamp() + interval '1 ms' as "isRight"
           from webhook_deliveries where webhook_id = $3`,
          [before, minutes, id],
        );
        expect(rows).toEqual([{ isRight: true }]);
        before = await databaseTime();
        await app.clock.advance(minutes * 60_000);
        await makeJobsDue(app.pool);
      }
      expect(await delivery(id, "failed")).toMatchObject({ attemptCount: 5, nextAttemptAt: null });
      expect(receiver.requests).toHaveLength(5);
    });
  });

  test("succeeds at a later attempt", async () => {
    respond = (_, response) => response.writeHead(receiver.requests.length === 1 ? 503 : 204).end();
    const { id } = await createWebhook();
    await emitGenerated();
    await delivery(id, "retry_scheduled");
    await makeJobsDue(app.pool);
    expect(await delivery(id, "delivered")).toMatchObject({ attemptCount: 2, nextAttemptAt: null });
  });

  test.each([301, 302, 307, 308])("fails on a redirect (%s), which is not followed", async (status) => {
    respond = (_, response) => response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    const { id } = await createWebhook();
    await emitGenerated();
    const { attempts } = await delivery(id, "retry_scheduled");
    expect(attempts?.[0]).toMatchObject({ responseStatus: status, error: "redirect" });
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("fails if no response comes within ten seconds", async () => {
    respond = () => {};
    const { id } = await createWebhook();
    await emitGenerated();
    await until(() => receiver.requests.length === 1);
    await app.clock.advance(9_999);
    expect((await deliveries(id))[0]).toMatchObject({ status: "pending", attemptCount: 0 });
    await app.clock.advance(1);
    const { attempts } = await delivery(id, "retry_scheduled");
    expect(attempts?.[0]).toMatchObject({ responseStatus: null, error: "timeout" });
  });

  test("fails if the certificate is not trusted: nothing is sent", async () => {
    const stranger = await startReceiver();
    const { id } = await createWebhook({ url: stranger.url });
    await emitGenerated();
    const { attempts } = await delivery(id, "retry_scheduled");
    expect(attempts?.[0]).toMatchObject({ responseStatus: null, error: "certificate" });
    expect(stranger.requests).toHaveLength(0);
    await stranger.close();
  });

  test("goes to the new address if the webhook was changed meanwhile", async () => {
    respond = (received, response) => response.writeHead(received.path === "/hook" ? 500 : 200).end();
    const { id } = await createWebhook();
    await emitGenerated();
    await delivery(id, "retry_scheduled");
    await app.request("PATCH", `/api/webhooks/${id}`, { token: user.token, body: { url: `${receiver.url}/moved` } });
    await makeJobsDue(app.pool);
    await delivery(id, "delivered");
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/hook", "/moved"]);
  });

  test("is not attempted again once the webhook is deactivated, with that reason", async () => {
    respond = (_, response) => response.writeHead(500).end();
    const { id } = await createWebhook();
    await emitGenerated();
    await delivery(id, "retry_scheduled");
    await app.request("PATCH", `/api/webhooks/${id}`, { token: user.token, body: { active: false } });
    await makeJobsDue(app.pool);
    const { attempts } = await delivery(id, "failed");
    expect(attempts?.[1]).toMatchObject({ number: 2, error: "webhook_inactive", responseStatus: null });
    expect(receiver.requests).toHaveLength(1);
  });

  test("is dropped when its webhook is deleted", async () => {
    respond = (_, response) => response.writeHead(500).end();
    const { id } = await createWebhook();
    await emitGenerated();
    await delivery(id, "retry_scheduled");
    expect((await app.request("DELETE", `/api/webhooks/${id}`, { token: user.token })).status).toBe(200);
    await makeJobsDue(app.pool);
    // The log is removed in the background.
    await until(async () => {
      await makeJobsDue(app.pool);
      return (await app.pool.query("select from webhooks where id = $1", [id])).rowCount === 0;
    });
    expect((await app.pool.query("select from webhook_deliveries where webhook_id = $1", [id])).rowCount).toBe(0);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("an event", () => {
  test("reaches each active, subscribed webhook of the users who may see it once", async () => {
    const other = await app.signUp();
    const [own, second] = [await createWebhook(), await createWebhook()];
    await createWebhook({ active: false });
    await createWebhook({ events: ["share.invited"] });
    await createWebhook({ events: [] });
    await app.request("POST", "/api/webhooks", {
      token: other.token,
      body: { url: `${receiver.url}/other`, events: ["estimation.tasks_generated"] },
    });
    await emitGenerated([user.userId, user.userId]);
    for (const { id } of [own, second]) await delivery(id, "delivered");
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
    const { rows } = await app.pool.query(
      "select count(distinct event_id)::int as events, count(*)::int as rows from webhook_deliveries where webhook_id = any($1)",
      [[own.id, second.id]],
    );
    expect(rows[0]).toEqual({ events: 1, rows: 2 });
  });

  test("is not stored without the change that caused it", async () => {
    const { id } = await createWebhook();
    const before = await app.pool.query("select from webhook_events");
    const failed = app.services.pool.transaction(async (tx) => {
      await emit(tx, app.services, {
        event: "estimation.tasks_generated",
        data: GENERATED,
        userIds: [user.userId],
        senderId: user.userId,
        now: app.clock.now(),
      });
      throw new Error("the change fails");
    });
    await expect(failed).rejects.toThrow("the change fails");
    expect(await deliveries(id)).toEqual([]);
    expect((await app.pool.query("select from webhook_events")).rowCount).toBe(before.rowCount);
  });

  test("that does not match its schema is refused together with its change", async () => {
    await createWebhook();
    const wrong = (data: object) =>
      app.services.pool.transaction((tx) =>
        emit(tx, app.services, {
          event: "estimation.tasks_generated" as SubscribableEvent,
          data: data as EventData<SubscribableEvent>,
          userIds: [user.userId],
          senderId: user.userId,
          now: app.clock.now(),
        }),
      );
    await expect(wrong({ ...GENERATED, taskCount: 1.5 })).rejects.toThrow(
      /estimation\.tasks_generated breaks its schema/,
    );
    await expect(wrong({ ...GENERATED, more: 1 })).rejects.toThrow(/breaks its schema/);
    await expect(wrong({ taskCount: 1 })).rejects.toThrow(/breaks its schema/);
  });

  test("is not stored if no webhook subscribes to it", async () => {
    const before = (await app.pool.query("select from webhook_events")).rowCount;
    await emitGenerated();
    expect((await app.pool.query("select from webhook_events")).rowCount).toBe(before);
  });
});

describe("send test", () => {
  test("reaches an inactive webhook without subscriptions, in the same way", async () => {
    const { id, secret } = await createWebhook({ active: false, events: [] });
    const { status, data } = await app.request("POST", `/api/webhooks/${id}/test`, { token: user.token });
    expect(status).toBe(202);
    expect(data.delivery).toMatchObject({ webhookId: id, event: "webhook.test", status: "pending", attempts: [] });
    const logged = await delivery(id, "delivered");
    expect(logged.id).toBe(data.delivery?.id);
    const [received] = receiver.requests;
    expect(JSON.parse(received?.body ?? "")).toEqual({
      event: "webhook.test",
      userId: user.userId,
      timestamp: app.clock.now().toISOString(),
    });
    expect(received?.headers["x-service-event"]).toBe("webhook.test");
    expect(received?.headers["x-service-signature"]).toBe(
      `sha256=${createHmac("sha256", secret)
        .update(received?.body ?? "")
        .digest("hex")}`,
    );
  });

  test("is retried like any other delivery", async () => {
    respond = (_, response) => response.writeHead(500).end();
    const { id } = await createWebhook({ active: false });
    await app.request("POST", `/api/webhooks/${id}/test`, { token: user.token });
    for (const status of ["retry_scheduled", "failed"]) {
      await delivery(id, "retry_scheduled");
      await makeJobsDue(app.pool);
      await until(() => receiver.requests.length === (status === "failed" ? 3 : 2));
    }
    await delivery(id, "failed");
    expect(receiver.requests).toHaveLength(3);
  });
});
