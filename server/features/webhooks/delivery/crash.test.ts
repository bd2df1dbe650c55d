import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Json, start, type TestApp, type TestUser, until } from "../../../../tests/harness.ts";
import { patient } from "../../../../tests/support/patience.ts";
import { type Receiver, type Respond, startReceiver } from "../../../../tests/support/receiver.ts";
import { createOutbound } from "../../../platform/outbound/index.ts";
import { emit } from "../index.ts";
import { startDispatcher } from "./dispatch.ts";
import { kill, spawnWorker } from "./fixtures/worker-process.ts";

let app: TestApp;
let user: TestUser;
let receiver: Receiver;
let respond: Respond;
let stop: (() => Promise<void>) | undefined;

beforeAll(async () => {
  // On a busy machine the receiver may find out late that a connection is idle, and close it just as it is used again. Such
  // an attempt fails without a request, and the next one comes soon.
  app = await start({ config: { webhookRetryDelaysSeconds: [1], webhookMaxAttempts: 20 } });
  receiver = await startReceiver((...exchange) => respond(...exchange));
  receiver.trustedBy(app.services.config.dataDir);
});
beforeEach(async () => {
  user = await app.signUp();
  receiver.requests.length = 0;
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
});
afterAll(() => receiver.close());

function startSending(): void {
  const { clock, log, config } = app.services;
  const outbound = createOutbound({
    clock,
    log,
    allowedNetworks: config.webhookAllowedNetworks,
    allowedPorts: config.webhookAllowedPorts,
    trustedFolder: `${config.dataDir}/trusted-ca`,
  });
  stop = startDispatcher(app.services, app.connection, outbound);
}

async function createWebhook(): Promise<string> {
  const body = { url: receiver.url, events: ["estimation.tasks_generated"] };
  const { data } = await app.request("POST", "/api/webhooks", { token: user.token, body });
  return String(data.webhook?.id);
}

const emitGenerated = (taskCount: number): Promise<void> =>
  app.services.pool.transaction((tx) =>
    emit(tx, app.services, {
      event: "estimation.tasks_generated",
      data: { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount },
      userIds: [user.userId],
      senderId: user.userId,
      now: app.clock.now(),
    }),
  );

async function onlyDelivery(webhookId: string): Promise<Json> {
  const { data } = await app.request("GET", `/api/webhooks/${webhookId}/deliveries`, { token: user.token });
  return (data.deliveries?.[0] ?? {}) as Json;
}

/** Lets every lease end, as time does once its process is killed or paused. */
async function endLeases(): Promise<void> {
  await app.pool.query("update webhook_deliveries set leased_until = now() where lease is not null");
  await app.pool.query("update webhook_health set leased_until = now()");
}

test("an outcome is not written if it comes after the outcome of the claim that took the delivery over", async () => {
  const responses: ServerResponse[] = [];
  respond = (_received, response) => void responses.push(response);
  startSending();
  const id = await createWebhook();
  await emitGenerated(1);
  await until(() => responses.length === 1);
  await endLeases();
  await until(() => responses.length === 2);
  responses[1]?.writeHead(200).end();
  await until(async () => (await onlyDelivery(id)).status === ("delivered" as unknown as Json));
  responses[0]?.writeHead(500).end();
  await stop?.();
  expect(await onlyDelivery(id)).toMatchObject({
    status: "delivered",
    attemptCount: 2,
    attempts: [{ error: "interrupted" }, { responseStatus: 200 }],
  });
});

describe("an outcome that the database refuses at first", () => {
  /**
   * Makes the database fail with SQLSTATE `code`, at most `times` times, when it writes an attempt that matches `when`.
   */
  async function failToWrite(code: string, times: number, when = "true"): Promise<void> {
    // A sequence keeps counting when a transaction is rolled back.
    await app.pool.query(`
      create sequence failures;
      create function fail_to_write() returns trigger language plpgsql as $$ begin
        if (${when}) and nextval('failures') <= ${times} then raise exception using errcode = '${code}'; end if;
        return new;
      end $$;
      create trigger fail_to_write before insert on webhook_attempts for each row execute function fail_to_write()`);
  }
  afterEach(() => app.pool.query("drop function fail_to_write cascade; drop sequence failures"));

  test.each([
    ["a deadlock, again and again", "40P01", 6],
    ["a conflict", "40001", 1],
    ["a statement that was cancelled", "57014", 2],
    ["a fault of its own", "XX000", 2],
  ])("for %s is written later, and nothing is sent again", async (_, code, times) => {
    respond = (_received, response) => void response.end("ok");
    await failToWrite(code, times);
    const id = await createWebhook();
    await emitGenerated(1);
    startSending();
    await until(async () => (await onlyDelivery(id)).status === ("delivered" as unknown as Json));
    expect(receiver.requests).toHaveLength(1);
    expect(await onlyDelivery(id)).toMatchObject({ attemptCount: 1, attempts: [{ responseBody: "ok" }] });
  });

  test("is written without the response if the response is the reason", async () => {
    respond = (_received, response) => void response.end("refused");
    await failToWrite("22P05", 1_000, "new.response_body = 'refused'");
    const id = await createWebhook();
    await emitGenerated(1);
    startSending();
    await until(async () => (await onlyDelivery(id)).status === ("delivered" as unknown as Json));
    expect(receiver.requests).toHaveLength(1);
    expect(await onlyDelivery(id)).toMatchObject({ attempts: [{ responseStatus: 200, responseBody: null }] });
  });
});

test("deliveries of a killed process continue within 25 seconds, and so do all others of its endpoints", async () => {
  const held: ServerResponse[] = [];
  respond = (_received, response) => void held.push(response);
  const id = await createWebhook();
  for (let count = 0; count < 10; count++) await emitGenerated(count);
  const child = spawnWorker(app, { WEBHOOK_TIMEOUT: "10" });
  await until(() => held.length === 4);
  respond = (_received, response) => void response.end();
  startSending();
  await kill(child);
  const killedMs = performance.now();
  await until(async () => (await countWhere(id, "status = 'delivered'")) === 10);
  expect(performance.now() - killedMs).toBeLessThan(patient(25_000));
  expect(await countWhere(id, "interrupted_count = 1")).toBe(4);
}, 300_000);

test("a process that stops writes which attempts it ended, and their deliveries are due again at once", async () => {
  respond = () => {};
  const id = await createWebhook();
  for (let count = 0; count < 6; count++) await emitGenerated(count);
  startSending();
  await until(() => receiver.requests.length === 4);
  await stop?.();
  stop = undefined;
  expect(await countWhere(id, "lease is not null")).toBe(0);
  expect(await countWhere(id, "interrupted_count = 1 and attempt_count = 1 and status = 'pending'")).toBe(4);
  respond = (_received, response) => void response.end();
  startSending();
  await until(async () => (await countWhere(id, "status = 'delivered'")) === 6);
}, 300_000);

test("an attempt interrupted by a kill is logged as interrupted, and does not count against the allowed attempts", async () => {
  const held: ServerResponse[] = [];
  respond = (_received, response) => void held.push(response);
  const id = await createWebhook();
  await emitGenerated(1);
  const settings = { WEBHOOK_MAX_ATTEMPTS: "2", WEBHOOK_RETRY_DELAYS: "0" };
  for (const kills of [1, 2]) {
    const child = spawnWorker(app, settings);
    await until(() => held.length === kills);
    await kill(child);
    await endLeases();
  }
  respond = (_received, response) => void response.writeHead(500).end();
  const child = spawnWorker(app, settings);
  await until(async () => (await onlyDelivery(id)).status === ("failed" as unknown as Json));
  await kill(child);
  const { attemptCount, attempts } = await onlyDelivery(id);
  expect([attemptCount, (attempts as unknown as Json[]).map(({ number, error }) => [number, error])]).toEqual([
    4,
    [
      [1, "interrupted"],
      [2, "interrupted"],
      [3, "status"],
      [4, "status"],
    ],
  ]);
  expect(attempts?.[0]).toMatchObject({ responseStatus: null, responseHeaders: null, responseBody: null });
  expect(receiver.requests).toHaveLength(4);
});

test("deliveries that a killed process had not leased are not logged as attempts", async () => {
  const held: ServerResponse[] = [];
  respond = (_received, response) => void held.push(response);
  const id = await createWebhook();
  for (let count = 0; count < 40; count++) await emitGenerated(count);
  const child = spawnWorker(app);
  // As many as an endpoint has slots at first.
  await until(() => held.length === 4);
  await kill(child);
  await endLeases();
  const cut = receiver.requests.length;
  respond = (_received, response) => void response.end();
  startSending();
  await until(async () => (await countWhere(id, "status = 'delivered'")) === 40);
  expect(receiver.requests).toHaveLength(40 + cut);
  const { rows } = await app.pool.query(
    `select count(*)::int as cut, count(distinct delivery_id)::int as deliveries from webhook_attempts
     where error = 'interrupted' and delivery_id in (select id from webhook_deliveries where webhook_id = $1)`,
    [id],
  );
  expect(rows).toEqual([{ cut, deliveries: cut }]);
  expect(await countWhere(id, "interrupted_count = 1")).toBe(cut);
  expect(await countWhere(id, "interrupted_count = 0")).toBe(40 - cut);
});

async function countWhere(webhookId: string, condition: string): Promise<number> {
  const { rows } = await app.pool.query(
    `select count(*)::int as found from webhook_deliveries where webhook_id = $1 and ${condition}`,
    [webhookId],
  );
  return rows[0].found;
}

test("killing a worker while it delivers loses nothing, and no delivery with a stored outcome is sent twice", async () => {
  const EVENTS = 200;
  let slow = false;
  const held: ServerResponse[] = [];
  respond = (_received, response) => void (slow ? held.push(response) : response.end());
  const id = await createWebhook();
  for (let count = 0; count < EVENTS; count++) await emitGenerated(count);

  const child = spawnWorker(app);
  await until(() => receiver.requests.length >= EVENTS / 4);
  slow = true;
  await until(async () => held.length > 0 && (await countWhere(id, "status = 'delivered'")) > 0);
  await kill(child);
  await endLeases();
  const { rows } = await app.pool.query<{ id: string; done: boolean }>(
    "select id, status = 'delivered' as done from webhook_deliveries where webhook_id = $1",
    [id],
  );
  slow = false;

  startSending();
  await until(async () => (await countWhere(id, "status = 'delivered'")) === EVENTS);
  const sent = Map.groupBy(receiver.requests, ({ headers }) => headers["x-service-delivery"] ?? "");
  const times = (one: { readonly id: string }) => sent.get(one.id)?.length ?? 0;
  // A request whose outcome was not written is sent again: at least once, by each of the two workers at most once.
  expect(rows.length).toBe(EVENTS);
  expect(rows.filter((one) => times(one) < 1 || times(one) > 2)).toEqual([]);
  expect(rows.some(({ done }) => done)).toBe(true);
  expect(rows.filter((one) => one.done && times(one) !== 1)).toEqual([]);
});
