import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { start, type TestApp, type TestUser } from "../../../../tests/harness.ts";
import { countJobs } from "../../../../tests/support/jobs.ts";
import { removeDeleted } from "../store.ts";
import { type Outcome, recordOutcomes } from "./outcome-store.ts";
import { findParked, type LeasedJob, loadDue, parkDeliveries, releaseParked } from "./store.ts";

let app: TestApp;
let user: TestUser;
let webhookId: string;
let deliveryId: string;

beforeAll(async () => {
  app = await start();
  user = await app.signUp();
});
beforeEach(async () => {
  await app.pool.query("delete from graphile_worker._private_jobs");
  await app.pool.query("delete from webhooks");
  webhookId = await createWebhook();
  deliveryId = await sendTest(webhookId);
});

async function createWebhook(): Promise<string> {
  const body = { url: "https://hooks.example.com", events: [] };
  const { data } = await app.request("POST", "/api/webhooks", { token: user.token, body });
  return String(data.webhook?.id);
}

async function sendTest(id: string): Promise<string> {
  const { data } = await app.request("POST", `/api/webhooks/${id}/test`, { token: user.token });
  return String(data.delivery?.id);
}

/** Takes the delivery's job as pool `poolId`, from any pool that holds it. */
async function take(poolId: string, attempt = 1): Promise<LeasedJob> {
  const { rows } = await app.pool.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now(), attempts = attempts + 1
     where payload->>'deliveryId' = $2 and (payload->>'attempt')::int = $3 returning id, attempts`,
    [poolId, deliveryId, attempt],
  );
  expect(rows).toHaveLength(1);
  return {
    job: { deliveryId, webhookId, attempt },
    lease: { jobId: rows[0].id, poolId, starts: rows[0].attempts },
  };
}

const outcome = (leased: LeasedJob, more: Partial<Outcome> = {}): Outcome => ({
  leased,
  attempt: {
    startedAt: new Date(0).toISOString(),
    durationMs: 5,
    responseStatus: 200,
    responseHeaders: { server: 'quo"ted' },
    responseBody: "ok",
    error: null,
  },
  status: "delivered",
  nextAttemptAt: null,
  completedAt: new Date(1_000),
  delayMs: null,
  ...more,
});

const retry = (leased: LeasedJob): Outcome =>
  outcome(leased, { status: "retry_scheduled", nextAttemptAt: new Date(2_000), completedAt: null, delayMs: 60_000 });

const stored = async () =>
  (await app.pool.query("select status, attempt_count, parked from webhook_deliveries where id = $1", [deliveryId]))
    .rows[0];
const attempts = async () =>
  (await app.pool.query("select number, response_headers from webhook_attempts where delivery_id = $1", [deliveryId]))
    .rows;

describe("only the run that holds the job writes an outcome", () => {
  test("not a run whose job another pool has taken over, whichever comes first", async () => {
    const paused = await take("pool-a");
    const taken = await take("pool-b");
    expect(await recordOutcomes(app.services.pool, [retry(paused)])).toEqual([false]);
    expect(await stored()).toEqual({ status: "pending", attempt_count: 0, parked: false });
    expect(await recordOutcomes(app.services.pool, [outcome(taken)])).toEqual([true]);
    expect(await recordOutcomes(app.services.pool, [retry(paused)])).toEqual([false]);
    expect(await stored()).toEqual({ status: "delivered", attempt_count: 1, parked: false });
    expect(await attempts()).toEqual([{ number: 1, response_headers: { server: 'quo"ted' } }]);
    // The end of the job was written with it.
    expect(await countJobs(app.pool, "deliver-webhook")).toBe(0);
  });

  test("not a run whose job its own pool has started again", async () => {
    const former = await take("pool-a");
    await take("pool-a");
    expect(await recordOutcomes(app.services.pool, [outcome(former)])).toEqual([false]);
  });

  test("not a run whose job was released", async () => {
    const former = await take("pool-a");
    await app.pool.query("select graphile_worker.force_unlock_workers(array['pool-a'])");
    expect(await recordOutcomes(app.services.pool, [outcome(former)])).toEqual([false]);
    expect((await loadDue(app.services.pool, [former]))[0]?.held).toBe(false);
    expect(await parkDeliveries(app.services.pool, [former])).toEqual([false]);
    expect(await stored()).toEqual({ status: "pending", attempt_count: 0, parked: false });
  });

  test("and only once", async () => {
    const leased = await take("pool-a");
    expect(await recordOutcomes(app.services.pool, [retry(leased)])).toEqual([true]);
    expect(await recordOutcomes(app.services.pool, [outcome(leased)])).toEqual([false]);
    expect(await stored()).toEqual({ status: "retry_scheduled", attempt_count: 1, parked: false });
    // The job itself has ended; the job of the next attempt exists.
    expect(await countJobs(app.pool, "deliver-webhook")).toBe(1);
    expect(await recordOutcomes(app.services.pool, [outcome(await take("pool-b", 2))])).toEqual([true]);
    expect(await stored()).toEqual({ status: "delivered", attempt_count: 2, parked: false });
  });
});

describe("there is nothing to send", () => {
  test("for an attempt that was already made", async () => {
    const leased = await take("pool-a");
    await app.pool.query("update webhook_deliveries set attempt_count = 1, status = 'retry_scheduled'");
    expect(await loadDue(app.services.pool, [leased])).toEqual([{ held: true, due: null }]);
    await app.pool.query("update webhook_deliveries set attempt_count = 0");
    await recordOutcomes(app.services.pool, [retry(leased)]);
    expect(await loadDue(app.services.pool, [leased])).toEqual([{ held: false, due: null }]);
  });

  test("for a deleted webhook", async () => {
    const leased = await take("pool-a");
    await app.request("DELETE", `/api/webhooks/${webhookId}`, { token: user.token });
    expect(await loadDue(app.services.pool, [leased])).toEqual([{ held: true, due: null }]);
  });

  test("while a delivery is parked", async () => {
    const leased = await take("pool-a");
    await app.pool.query("update webhook_deliveries set parked = true");
    expect(await loadDue(app.services.pool, [leased])).toEqual([{ held: true, due: null }]);
  });
});

describe("a delivery is parked", () => {
  test("together with the end of its job, so that it runs once when it goes on, even if the worker is killed meanwhile", async () => {
    const leased = await take("pool-a");
    expect(await parkDeliveries(app.services.pool, [leased])).toEqual([true]);
    expect(await stored()).toEqual({ status: "pending", attempt_count: 0, parked: true });
    expect(await countJobs(app.pool, "deliver-webhook")).toBe(0);
    // Releasing the dead worker's jobs does not find this one.
    expect(await releaseParked(app.services.pool, [{ webhookId, most: 10 }])).toEqual([1]);
    await app.pool.query("select graphile_worker.force_unlock_workers(array['pool-a'])");
    expect(await countJobs(app.pool, "deliver-webhook")).toBe(1);
  });

  test("only if it waits for that attempt; the job of another attempt stays", async () => {
    const leased = await take("pool-a");
    await app.pool.query("update webhook_deliveries set attempt_count = 1, status = 'retry_scheduled'");
    expect(await parkDeliveries(app.services.pool, [leased])).toEqual([true]);
    expect(await stored()).toEqual({ status: "retry_scheduled", attempt_count: 1, parked: false });
    expect(await countJobs(app.pool, "deliver-webhook")).toBe(1);
  });
});

test("the queue never gives up a delivery's jobs: the first, the next, or one that was parked", async () => {
  const most = async () =>
    (await app.pool.query("select max_attempts from graphile_worker._private_jobs")).rows.map(
      (row) => row.max_attempts,
    );
  expect(await most()).toEqual([32_767]);
  await recordOutcomes(app.services.pool, [retry(await take("pool-a"))]);
  expect(await most()).toEqual([32_767]);
  await parkDeliveries(app.services.pool, [await take("pool-a", 2)]);
  expect(await most()).toEqual([]);
  await releaseParked(app.services.pool, [{ webhookId, most: 1 }]);
  expect(await most()).toEqual([32_767]);
});

test("removing deleted webhooks skips an outcome that is being written, and leaves its delivery for the next time", async () => {
  await sendTest(webhookId);
  await app.request("DELETE", `/api/webhooks/${webhookId}`, { token: user.token });
  const writer = await app.pool.connect();
  try {
    await writer.query("begin");
    await writer.query("select from webhook_deliveries where id = $1 for update", [deliveryId]);
    expect(await removeDeleted(app.services.pool, 10)).toBe(1);
    expect(await stored()).toMatchObject({ status: "pending" });
    await writer.query("commit");
  } finally {
    writer.release();
  }
  expect(await removeDeleted(app.services.pool, 10)).toBe(1);
  expect((await app.pool.query("select from webhooks where id = $1", [webhookId])).rowCount).toBe(0);
});

test("parked deliveries get their jobs back, the oldest first, once", async () => {
  const second = await sendTest(webhookId);
  const elsewhere = await createWebhook();
  const third = await sendTest(elsewhere);
  await app.pool.query("delete from graphile_worker._private_jobs");
  await app.pool.query("update webhook_deliveries set parked = true");
  const [first = "", last = ""] = [webhookId, elsewhere].toSorted();
  const at = (...ids: string[]) => ids.map((id) => ({ webhookId: id, ownerId: user.userId }));
  expect(await findParked(app.services.pool, "", 10)).toEqual({ endpoints: at(first, last), last: null });
  expect(await findParked(app.services.pool, "", 1)).toEqual({ endpoints: at(first), last: first });
  expect(await findParked(app.services.pool, first, 1)).toEqual({ endpoints: at(last), last });
  expect(await findParked(app.services.pool, last, 1)).toEqual({ endpoints: [], last: null });

  expect(await releaseParked(app.services.pool, [{ webhookId, most: 1 }])).toEqual([1]);
  const jobs = async () =>
    (await app.pool.query("select payload from graphile_worker._private_jobs order by id")).rows.map(
      ({ payload }) => payload,
    );
  expect(await jobs()).toEqual([{ deliveryId, webhookId, ownerId: user.userId, attempt: 1, released: true }]);
  expect(await releaseParked(app.services.pool, [{ webhookId, most: 10 }])).toEqual([1]);
  expect(await releaseParked(app.services.pool, [{ webhookId, most: 10 }])).toEqual([0]);
  expect((await jobs()).map((job) => job.deliveryId)).toEqual([deliveryId, second]);
  expect(await findParked(app.services.pool, "", 10)).toEqual({ endpoints: at(elsewhere), last: null });
  expect(third).toMatch(/^wd_/);
});

test("parked deliveries of a deleted webhook are looked at and skipped", async () => {
  await app.pool.query("update webhook_deliveries set parked = true");
  await app.request("DELETE", `/api/webhooks/${webhookId}`, { token: user.token });
  expect(await findParked(app.services.pool, "", 1)).toEqual({ endpoints: [], last: webhookId });
  expect(await releaseParked(app.services.pool, [{ webhookId, most: 10 }])).toEqual([0]);
});
