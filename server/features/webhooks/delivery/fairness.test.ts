import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start, type TestApp, type TestUser, until } from "../../../../tests/harness.ts";
import { type Receiver, startReceiver } from "../../../../tests/support/receiver.ts";
import { createWorker, type Worker } from "../../../jobs/worker.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createOutbound } from "../../../platform/outbound/index.ts";
import type { Services } from "../../../services.ts";
import { emit, webhookJobs } from "../index.ts";

const HANGING = 9;
const EVENTS = 60;
const PAUSE_MS = 25;

let app: TestApp;
let services: Services;
let user: TestUser;
let receiver: Receiver;
let worker: Worker;
const held = new Set<ServerResponse>();
/** Numbers of the events that the healthy endpoint got. */
const received = new Set<number>();
let hang = true;

beforeAll(async () => {
  // What hangs does so until the test releases it, even on the slowest machine.
  app = await start({ config: { webhookDeliveriesPerMinute: 1_000_000, webhookTimeoutSeconds: 600 } });
  services = { ...app.services, clock: systemClock };
  receiver = await startReceiver(({ path, body }, response) => {
    if (path === "/hanging" && hang) return void held.add(response);
    const { taskCount } = JSON.parse(body);
    if (path === "/healthy") received.add(taskCount);
    response.end();
  });
  receiver.trustedBy(app.services.config.dataDir);
  user = await app.signUp();
  worker = await startWorker();
});
afterAll(async () => {
  await worker.stop();
  await receiver.close();
});

async function startWorker(): Promise<Worker> {
  const { clock, log, config } = services;
  const outbound = createOutbound({
    clock,
    log,
    allowedNetworks: config.webhookAllowedNetworks,
    allowedPorts: config.webhookAllowedPorts,
    trustedFolder: `${config.dataDir}/trusted-ca`,
  });
  const started = createWorker({ services, jobs: webhookJobs(services, outbound), connection: app.connection });
  await started.start();
  return started;
}

async function createWebhook(path: string): Promise<void> {
  const body = { url: receiver.url + path, events: ["estimation.tasks_generated"] };
  expect((await app.request("POST", "/api/webhooks", { token: user.token, body })).status).toBe(201);
}

/** Emits events at a steady pace, and waits until the healthy endpoint has got them all. */
async function deliver(first: number): Promise<void> {
  for (let at = first; at < first + EVENTS; at++) {
    const data = { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: at };
    await services.pool.transaction((tx) =>
      emit(tx, services, {
        event: "estimation.tasks_generated",
        data,
        userIds: [user.userId],
        senderId: user.userId,
        now: systemClock.now(),
      }),
    );
    await wait(PAUSE_MS);
  }
  const numbers = Array.from({ length: EVENTS }, (_, at) => first + at);
  await until(() => numbers.every((at) => received.has(at)));
}

test("endpoints that hang hold up no others, have few slots, and get everything once they answer", async () => {
  await createWebhook("/healthy");
  await deliver(0);
  for (let count = 0; count < HANGING; count++) await createWebhook("/hanging");
  // None of the others has answered yet; `bench/webhooks/fairness.ts` measures how much later things arrive.
  await deliver(1_000);
  const open =
    "select count(*)::int as open, count(*) filter (where parked)::int as parked from webhook_deliveries where status <> 'delivered'";
  // All that is not under way is parked.
  const { rows } = await until(async () => {
    const counted = await app.pool.query<{ open: number; parked: number }>(open);
    return (
      counted.rows[0]?.open === HANGING * EVENTS && counted.rows[0].parked === HANGING * EVENTS - held.size && counted
    );
  });
  expect(rows[0]?.parked).toBeGreaterThan(HANGING * 20);
  expect(held.size).toBeGreaterThanOrEqual(HANGING);
  expect(held.size).toBeLessThanOrEqual(HANGING * 4);

  hang = false;
  for (const response of held) response.end();
  await until(async () => {
    const { rows } = await app.pool.query(
      "select count(*)::int as open from webhook_deliveries where status <> 'delivered'",
    );
    return rows[0].open === 0;
  });
  // Nothing was sent twice because of parking.
  const sent = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.length).toBe(2 * EVENTS + HANGING * EVENTS);
});

test("deliveries parked by a worker that is gone are found by another", async () => {
  await worker.stop();
  const data = { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: 2_000 };
  await services.pool.transaction((tx) =>
    emit(tx, services, {
      event: "estimation.tasks_generated",
      data,
      userIds: [user.userId],
      senderId: user.userId,
      now: systemClock.now(),
    }),
  );
  await app.pool.query("update webhook_deliveries set parked = true where status = 'pending'");
  await app.pool.query("delete from graphile_worker._private_jobs");
  worker = await startWorker();
  await until(async () => {
    const { rows } = await app.pool.query(
      "select count(*)::int as open from webhook_deliveries where status <> 'delivered'",
    );
    return rows[0].open === 0;
  });
});
