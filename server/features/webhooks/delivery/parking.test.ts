import { setImmediate } from "node:timers/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../tests/fake-clock.ts";
import { start, type TestApp, type TestUser, until } from "../../../../tests/harness.ts";
import { effortOf } from "../../../../tests/support/effort.ts";
import type { Database } from "../../../db/database.ts";
import { createOutbound } from "../../../platform/outbound/index.ts";
import { emit } from "../emit.ts";
import { createDeliver } from "./deliver.ts";
import { createLanes, type Endpoint, type Lanes, type Slot } from "./lanes.ts";
import { createParking } from "./parking.ts";
import type { LeasedJob } from "./store.ts";

let app: TestApp;
let user: TestUser;
let lanes: Lanes;

beforeAll(async () => {
  app = await start();
  user = await app.signUp();
});
beforeEach(async () => {
  lanes = createLanes(createFakeClock(), 1_000_000);
  await app.pool.query("delete from graphile_worker._private_jobs");
  await app.pool.query("delete from webhooks");
});

async function createWebhook(): Promise<string> {
  const body = { url: "https://hooks.example.com", events: [] };
  const { data } = await app.request("POST", "/api/webhooks", { token: user.token, body });
  return String(data.webhook?.id);
}

/** Makes a delivery and takes its job, as a worker does. */
async function takeNew(webhookId: string): Promise<LeasedJob> {
  const { data } = await app.request("POST", `/api/webhooks/${webhookId}/test`, { token: user.token });
  const deliveryId = String(data.delivery?.id);
  const { rows } = await app.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-a', locked_at = now(), attempts = attempts + 1
     where payload->>'deliveryId' = $1 returning id, attempts`,
    [deliveryId],
  );
  return {
    job: { deliveryId, webhookId, ownerId: user.userId, attempt: 1 },
    lease: { jobId: rows[0].id, poolId: "pool-a", starts: rows[0].attempts },
  };
}

const HANG = { durationMs: 10_000, failed: true, timedOut: true };

const endpointOf = (webhookId: string): Endpoint => ({
  webhookId,
  ownerId: webhookId.startsWith("slow-") ? webhookId : user.userId,
});

/** Takes a slot that is there at once. */
function take(endpoint: Endpoint): Slot {
  const slot = lanes.enter(endpoint);
  if (slot === null || slot instanceof Promise) throw new Error(`${endpoint.webhookId} found no slot`);
  return slot;
}

/** Parked deliveries, by webhook. */
async function parked(): Promise<string[]> {
  const { rows } = await app.pool.query("select webhook_id from webhook_deliveries where parked order by webhook_id");
  return rows.map(({ webhook_id: id }) => id);
}

/** Deliveries whose jobs may run. */
async function released(): Promise<string[]> {
  const { rows } = await app.pool.query(
    "select payload->>'deliveryId' as id from graphile_worker._private_jobs where locked_by is null and payload->>'deliveryId' is not null order by id",
  );
  return rows.map(({ id }) => id);
}

/**
 * The database, except that the result of statement number `nth` is held back until `open` is called. The statement
 * itself runs at once.
 */
function holdAnswer(nth: number): { db: Database; open: () => void } {
  const gate = Promise.withResolvers<void>();
  let statements = 0;
  const db = new Proxy(app.services.pool, {
    get(real, name) {
      if (name !== "execute") return Reflect.get(real, name);
      return async (...given: Parameters<Database["execute"]>) => {
        const isHeld = ++statements === nth;
        const answer = await real.execute(...given);
        if (isHeld) await gate.promise;
        return answer;
      };
    },
  });
  return { db, open: gate.resolve };
}

test("a delivery parked while others were being released goes on, though nothing else is under way", async () => {
  const webhookId = await createWebhook();
  const [one, other] = [await takeNew(webhookId), await takeNew(webhookId)];
  // The first one is parked and, as there is room, released again: the second statement.
  const { db, open } = holdAnswer(2);
  const parking = createParking({ pool: db, log: app.services.log }, lanes);
  await parking.park(one);
  await until(async () => (await released()).length === 1);
  await parking.park(other);
  expect(await parked()).toEqual([webhookId]);
  open();
  await until(async () => (await released()).length === 2);
  expect(await parked()).toEqual([]);
  await until(() => !parking.isQueueing(webhookId));
});

test("if slow endpoints have taken all slots, the deliveries of an endpoint that was turned away go on with the next free slot", async () => {
  const webhookId = await createWebhook();
  const leased = await takeNew(webhookId);
  const slots: Slot[] = [];
  for (const id of [webhookId, ...Array.from({ length: 200 }, (_, at) => `slow-${at}`)]) {
    take(endpointOf(id)).leave(HANG);
    if (id !== webhookId) slots.push(take(endpointOf(id)));
  }
  expect(await lanes.enter(endpointOf(webhookId))).toBeNull();
  const parking = createParking(app.services, lanes);
  await parking.park(leased);
  await parking.sweep();
  expect(await parked()).toEqual([webhookId]);

  slots[0]?.leave(HANG);
  parking.goOn(endpointOf("slow-0"));
  await until(async () => (await released()).length === 1);
});

test("an owner's deliveries beyond the limit per minute are parked, and go on in later minutes", async () => {
  const clock = createFakeClock();
  lanes = createLanes(clock, 3);
  const webhookId = await createWebhook();
  const parking = createParking(app.services, lanes);
  for (let count = 0; count < 3; count++)
    take(endpointOf(webhookId)).leave({ ...HANG, durationMs: 5, timedOut: false });
  for (let count = 0; count < 5; count++) await parking.park(await takeNew(webhookId));
  await parking.sweep();
  expect(await parked()).toHaveLength(5);
  await clock.advance(61_000);
  await parking.sweep();
  await until(async () => (await released()).length > 0);
  const first = (await released()).length;
  expect(first).toBeLessThanOrEqual(3);
  expect(await parked()).toHaveLength(5 - first);
  for (let count = 0; count < first; count++) take(endpointOf(webhookId)).leave(null);
  await clock.advance(61_000);
  await parking.sweep();
  await clock.advance(61_000);
  await parking.sweep();
  await until(async () => (await released()).length === 5);
});

test("an owner's deliveries beyond what begins in a moment are parked, and go on in the next one", async () => {
  const moments = createFakeClock();
  const perMoment = 20;
  lanes = createLanes(createFakeClock(), 48 * perMoment, moments);
  const webhookId = await createWebhook();
  const parking = createParking(app.services, lanes);
  for (let count = 0; count < perMoment; count++)
    take(endpointOf(webhookId)).leave({ durationMs: 5, failed: false, timedOut: false });
  for (let count = 0; count < 3; count++) {
    const leased = await takeNew(webhookId);
    expect(lanes.enter(endpointOf(webhookId))).toBeNull();
    await parking.park(leased);
  }
  await parking.sweep();
  expect([(await parked()).length, await released()]).toEqual([3, []]);
  await moments.advance(250);
  await until(async () => (await released()).length === 3);
  expect(await parked()).toEqual([]);
});

test("when the worker stops, parked deliveries are left to the next one, without a try", async () => {
  const moments = createFakeClock();
  const perMoment = 20;
  lanes = createLanes(createFakeClock(), 48 * perMoment, moments);
  const webhookId = await createWebhook();
  const stopping = new AbortController();
  let warnings = 0;
  const pool = new Proxy(app.services.pool, {
    get(target, name, receiver) {
      if (stopping.signal.aborted) throw new Error("the pool has ended");
      return Reflect.get(target, name, receiver);
    },
  });
  const log = { warn: () => (warnings += 1) } as unknown as typeof app.services.log;
  const parking = createParking({ pool, log }, lanes, { stopping: stopping.signal });
  for (let count = 0; count < perMoment; count++)
    take(endpointOf(webhookId)).leave({ durationMs: 5, failed: false, timedOut: false });
  const leased = await takeNew(webhookId);
  expect(lanes.enter(endpointOf(webhookId))).toBeNull();
  await parking.park(leased);
  stopping.abort();
  await moments.advance(250);
  parking.goOn(endpointOf(webhookId));
  // A release would have failed by then.
  for (let turns = 0; turns < 10; turns += 1) await setImmediate();
  expect([warnings, await parked()]).toEqual([0, [webhookId]]);
});

test("a sweep continues where the previous one ended, and starts again after the last webhook", async () => {
  const webhookIds: string[] = [];
  for (let count = 0; count < 5; count++) webhookIds.push(await createWebhook());
  webhookIds.sort();
  for (const id of webhookIds) {
    await app.request("POST", `/api/webhooks/${id}/test`, { token: user.token });
  }
  await app.pool.query("delete from graphile_worker._private_jobs");
  await app.pool.query("update webhook_deliveries set parked = true");
  const [first, second, third, fourth, fifth] = webhookIds as [string, string, string, string, string];
  // These stay parked: their endpoints have no slots.
  const held: Slot[] = [];
  for (const id of [first, second]) while (lanes.room(endpointOf(id)) > 0) held.push(take(endpointOf(id)));

  const parking = createParking(app.services, lanes, { swept: 2 });
  await parking.sweep();
  expect(await parked()).toEqual(webhookIds);
  await parking.sweep();
  expect(await parked()).toEqual([first, second, fifth]);
  await parking.sweep();
  expect(await parked()).toEqual([first, second]);
  held[0]?.leave(null);
  await parking.sweep();
  expect(await parked()).toEqual([second]);
  expect([third, fourth].some((id) => parking.isQueueing(id))).toBe(false);
});

test("parked deliveries of a deleted webhook get no jobs", async () => {
  const [deleted, kept] = [await createWebhook(), await createWebhook()];
  for (const id of [deleted, kept]) await app.request("POST", `/api/webhooks/${id}/test`, { token: user.token });
  await app.pool.query("delete from graphile_worker._private_jobs");
  await app.pool.query("update webhook_deliveries set parked = true");
  await app.request("DELETE", `/api/webhooks/${deleted}`, { token: user.token });

  const parking = createParking(app.services, lanes, { swept: 1 });
  await parking.sweep();
  await parking.sweep();
  expect(await parked()).toEqual([deleted]);
  expect(await released()).toHaveLength(1);
  expect(parking.isQueueing(deleted)).toBe(false);
});

test("a delivery that is not sent because the webhook is now inactive does not make its endpoint seem quick", async () => {
  const body = { url: "https://hooks.example.com", events: ["estimation.tasks_generated"] };
  const { data } = await app.request("POST", "/api/webhooks", { token: user.token, body });
  const webhookId = String(data.webhook?.id);
  const taskCounts = Array.from({ length: 12 }, (_, at) => at);
  for (const taskCount of taskCounts) {
    await app.services.pool.transaction((tx) =>
      emit(tx, app.services, {
        event: "estimation.tasks_generated",
        data: { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount },
        userIds: [user.userId],
        senderId: user.userId,
        now: app.clock.now(),
      }),
    );
  }
  await app.request("PATCH", `/api/webhooks/${webhookId}`, { token: user.token, body: { active: false } });
  const { rows } = await app.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-a', locked_at = now(), attempts = attempts + 1
     returning id, attempts, payload`,
  );
  expect(rows).toHaveLength(taskCounts.length);

  take(endpointOf(webhookId)).leave(HANG);
  const { clock, log, config } = app.services;
  const outbound = createOutbound({
    clock,
    log,
    allowedNetworks: [],
    allowedPorts: [443],
    trustedFolder: `${config.dataDir}/trusted-ca`,
  });
  const deliver = createDeliver(app.services, outbound, lanes, createParking(app.services, lanes));
  const { signal } = new AbortController();
  for (const { id, attempts, payload } of rows) {
    await deliver(payload, { lease: { jobId: id, poolId: "pool-a", starts: attempts }, signal });
  }
  const ended = await app.pool.query("select from webhook_attempts where error = 'webhook_inactive'");
  expect(ended.rowCount).toBe(taskCounts.length);
  expect(lanes.isQuick(endpointOf(webhookId))).toBe(false);
  expect(lanes.room(endpointOf(webhookId))).toBe(1);
});

test("deliveries of many webhooks go on in few statements, one after the other, so that requests keep their connections", async () => {
  const parking = createParking(app.services, lanes);
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < 40; n += 1) endpoints.push(endpointOf(await createWebhook()));
  const leased: LeasedJob[] = [];
  for (const { webhookId } of endpoints) leased.push(await takeNew(webhookId));
  const { statements } = await effortOf(app.connection.database, async () => {
    await Promise.all(leased.map((one) => parking.park(one)));
    await until(async () => (await released()).length === endpoints.length);
  });
  expect(await parked()).toEqual([]);
  expect(statements.filter((text) => text.includes("set parked = false")).length).toBeLessThanOrEqual(3);
  expect(statements.filter((text) => text.includes("parked = true")).length).toBeLessThanOrEqual(3);
});
