import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { start, type TestApp } from "../../../tests/harness.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import { removeInBatches } from "../../jobs/removals.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { removalsOfOld } from "./retention.ts";

const DAY_MS = 86_400_000;
const NEVER = new AbortController().signal;

let app: TestApp;
let webhookId: string;

beforeAll(async () => {
  app = await start();
});
beforeEach(async () => {
  await app.pool.query("delete from webhooks");
  await app.pool.query("delete from webhook_events");
  const { token } = await app.signUp();
  const body = { url: "https://hooks.example.com", events: [] };
  webhookId = String((await app.request("POST", "/api/webhooks", { token, body })).data.webhook?.id);
});

/** Creates `count` deliveries of that age with an attempt and an event each; returns the id of the first. */
async function make(ageMs: number, { status = "delivered", count = 1 } = {}): Promise<string> {
  const at = new Date(app.clock.now().getTime() - ageMs);
  const open = status === "pending" || status === "retry_scheduled";
  const ids = Array.from(
    { length: count },
    (_, n) => firstIdAt("delivery", at).slice(0, -6) + String(n).padStart(6, "0"),
  );
  await app.pool.query(
    `with ids as (select id from unnest($1::text[]) with ordinality x(id, n) order by n),
     events as (
       insert into webhook_events (name, data, created_at) select 'webhook.test', id, $3 from ids returning id, data
     ),
     deliveries as (
       insert into webhook_deliveries (id, webhook_id, event_id, event, status, attempt_count, due_at, next_attempt_at, created_at, completed_at)
       select data, $2, id, 'webhook.test', $4, 1, case when $5 then $3::timestamptz end, case when $5 then $3::timestamptz end, $3, case when not $5 then $3::timestamptz end
       from events returning id
     )
     select id from deliveries`,
    [ids, webhookId, at, status, open],
  );
  await app.pool.query(
    "insert into webhook_attempts (delivery_id, number, started_at, duration_ms) select unnest($1::text[]), 1, $2, 1",
    [ids, at],
  );
  return ids[0] ?? "";
}

/** Removes what is older than 30 days; returns how many deliveries and events that were. */
async function run(more: { batch?: number; mostBatches?: number } = {}, signal = NEVER): Promise<number> {
  const before = await left();
  await removeInBatches(removalsOfOld(app.services.pool, app.clock.now(), 30), { signal, ...more });
  const after = await left();
  return before.deliveries.length - after.deliveries.length + before.events - after.events;
}

async function left(): Promise<{ deliveries: string[]; attempts: number; events: number }> {
  const { rows } = await app.pool.query("select id from webhook_deliveries order by id");
  const { rows: counts } = await app.pool.query(
    "select (select count(*)::int from webhook_attempts) as attempts, (select count(*)::int from webhook_events) as events",
  );
  return { deliveries: rows.map(({ id }) => id), ...counts[0] };
}

describe("data older than the retention", () => {
  test("is removed with its attempts; data exactly as old as the retention stay", async () => {
    await make(30 * DAY_MS + 1);
    const kept = await make(30 * DAY_MS);
    const fresh = await make(0);
    await run();
    expect(await left()).toMatchObject({ deliveries: [kept, fresh], attempts: 2 });
  });

  test("is removed with its event, which is removed a day later, never before its delivery", async () => {
    await make(30 * DAY_MS + 1);
    await run();
    expect(await left()).toMatchObject({ deliveries: [], events: 1 });
    await app.clock.advance(DAY_MS);
    await run();
    expect(await left()).toEqual({ deliveries: [], attempts: 0, events: 0 });
  });

  test("stays with its event while a delivery is under way", async () => {
    const open = [
      await make(50 * DAY_MS, { status: "pending" }),
      await make(40 * DAY_MS, { status: "retry_scheduled" }),
    ];
    await make(45 * DAY_MS, { status: "failed" });
    await make(39 * DAY_MS);
    await run({ batch: 1 });
    expect(await left()).toEqual({ deliveries: open, attempts: 2, events: 2 });
    await app.pool.query(
      "update webhook_deliveries set status = 'delivered', due_at = null, next_attempt_at = null, completed_at = now()",
    );
    await run();
    expect(await left()).toEqual({ deliveries: [], attempts: 0, events: 0 });
  });

  test("is removed in small batches, a limited number per run, the oldest first; the next run continues", async () => {
    await make(60 * DAY_MS, { count: 25 });
    const later = await make(50 * DAY_MS, { count: 5 });
    expect(await run({ batch: 10, mostBatches: 2 })).toBe(20);
    expect((await left()).events).toBe(30);
    expect(await run({ batch: 5, mostBatches: 1 })).toBe(5);
    expect((await left()).deliveries[0]).toBe(later);
    expect(await run({ batch: 10 })).toBe(35);
    expect(await left()).toEqual({ deliveries: [], attempts: 0, events: 0 });
    expect(await run()).toBe(0);
  });

  test("is not removed once the worker stops", async () => {
    await make(60 * DAY_MS);
    expect(await run({}, AbortSignal.abort())).toBe(0);
    expect((await left()).deliveries).toHaveLength(1);
  });

  test("is removed during deliveries: outcomes do not wait for another delivery that is being written", async () => {
    await make(60 * DAY_MS, { count: 3 });
    const pending = await make(31 * DAY_MS, { status: "pending" });
    const writer = await app.pool.connect();
    await writer.query("begin");
    await writer.query("update webhook_deliveries set status = 'delivered', next_attempt_at = null where id = $1", [
      pending,
    ]);
    await run();
    expect((await left()).deliveries).toEqual([pending]);
    await writer.query("commit");
    writer.release();
  });
});

test("each step reads a range of a primary key, however long the log is", async () => {
  await make(60 * DAY_MS, { count: 2_000 });
  await make(1 * DAY_MS, { count: 30_000 });
  await app.pool.query("analyze webhook_deliveries, webhook_events");
  const plans = await plansOf(app.pool, (db) =>
    removeInBatches(removalsOfOld(db, app.clock.now(), 30), { batch: 500, signal: NEVER }),
  );
  expect(plans.length).toBeGreaterThan(8);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on webhook_|Sort Key/);
});
