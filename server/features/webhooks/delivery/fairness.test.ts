import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start, type TestApp, type TestUser, until } from "../../../../tests/harness.ts";
import { type Receiver, startReceiver } from "../../../../tests/support/receiver.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createOutbound } from "../../../platform/outbound/index.ts";
import type { Services } from "../../../services/index.ts";
import { emit } from "../index.ts";
import { startDispatcher } from "./dispatch.ts";

const HANGING = 9;
const EVENTS = 60;
const PAUSE_MS = 25;

let app: TestApp;
let services: Services;
let user: TestUser;
let receiver: Receiver;
let stop: () => Promise<void>;
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
  stop = startSending();
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

function startSending(): () => Promise<void> {
  const { clock, log, config } = services;
  const outbound = createOutbound({
    clock,
    log,
    allowedNetworks: config.webhookAllowedNetworks,
    allowedPorts: config.webhookAllowedPorts,
    trustedFolder: `${config.dataDir}/trusted-ca`,
  });
  return startDispatcher(services, app.connection, outbound);
}

async function createWebhook(path: string): Promise<void> {
  const body = { url: receiver.url + path, events: ["estimation.tasks_generated"] };
  expect((await app.request("POST", "/api/webhooks", { token: user.token, body })).status).toBe(201);
}

/** Emits events at a steady pace, and waits until the healthy endpoint has got them all. */
async function deliver(first: number, to = user): Promise<void> {
  for (let at = first; at < first + EVENTS; at++) {
    const data = { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: at };
    await services.pool.transaction((tx) =>
      emit(tx, services, {
        event: "estimation.tasks_generated",
        data,
        userIds: [to.userId],
        senderId: to.userId,
        now: systemClock.now(),
      }),
    );
    await wait(PAUSE_MS);
  }
  const numbers = Array.from({ length: EVENTS }, (_, at) => first + at);
  await until(() => numbers.every((at) => received.has(at)));
}

test("endpoints that hang delay no others, have few slots, and get everything once they respond", async () => {
  await createWebhook("/healthy");
  await deliver(0);
  for (let count = 0; count < HANGING; count++) await createWebhook("/hanging");
  // None of the others has responded yet; `bench/webhooks/fairness.ts` measures how much later things arrive.
  await deliver(1_000);
  const open = "select count(*)::int as open from webhook_deliveries where status <> 'delivered' and lease is null";
  // All that is not under way waits in the table, and costs nothing.
  await until(async () => {
    const { rows } = await app.pool.query<{ open: number }>(open);
    return rows[0]?.open === HANGING * EVENTS - held.size;
  });
  expect(held.size).toBeGreaterThanOrEqual(HANGING);
  // An owner's part of slow endpoints.
  expect(held.size).toBeLessThanOrEqual(32);

  hang = false;
  for (const response of held) response.end();
  await until(async () => {
    const { rows } = await app.pool.query(
      "select count(*)::int as open from webhook_deliveries where status <> 'delivered'",
    );
    return rows[0].open === 0;
  });
  // Nothing was sent twice.
  const sent = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.length).toBe(2 * EVENTS + HANGING * EVENTS);
});

test("quick endpoints of many owners that all begin to hang at once do not delay those of others", async () => {
  const OWNERS = 20;
  const LEFT = 150;
  hang = true;
  held.clear();
  await app.pool.query("update webhooks set active = false");
  const ids: string[] = [];
  for (let number = 0; number < OWNERS; number++) {
    const { token } = await app.signUp();
    const body = { url: `${receiver.url}/hanging`, events: ["estimation.tasks_generated"] };
    ids.push(String((await app.request("POST", "/api/webhooks", { token, body })).data.webhook?.id));
  }
  const signUpHealthy = async () => {
    const healthy = await app.signUp();
    const body = { url: `${receiver.url}/healthy`, events: ["estimation.tasks_generated"] };
    await app.request("POST", "/api/webhooks", { token: healthy.token, body });
    return healthy;
  };
  const healthy = await signUpHealthy();
  // More slots than a process has leases, and more due than fits in memory ahead of them.
  await app.pool.query("insert into webhook_health (webhook_id, slots, last_ms) select unnest($1::text[]), 32, 5", [
    ids,
  ]);
  await app.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, body, due_at, next_attempt_at, created_at)
     select 'wd_' || right(id, 13) || lpad(n::text, 13, '0'), id, 1000000 + n, 'webhook.test', '{}', now(), now(), now()
     from unnest($1::text[]) id, generate_series(1, $2::int) n`,
    [ids, LEFT],
  );
  await until(() => held.size > 100);
  await deliver(2_000, healthy);
  // Nothing is leased ahead any more where nothing responds.
  await until(async () => {
    const { rows } = await app.pool.query(
      "select count(*) filter (where slots = 1 and last_ms > 1000)::int as stalled from webhook_health where webhook_id = any($1)",
      [ids],
    );
    return rows[0].stalled === OWNERS;
  });
  await deliver(3_000, healthy);
  // Not known yet.
  await deliver(4_000, await signUpHealthy());
  hang = false;
  for (const response of held) response.end();
});
