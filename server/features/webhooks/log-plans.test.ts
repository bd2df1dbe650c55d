import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { deliveryStatuses } from "../../../contract/endpoints/webhooks.ts";
import { eventNames } from "../../../contract/events.ts";
import { start, type TestApp } from "../../../tests/harness.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import { listDeliveries } from "./delivery-log.ts";
import { readHealth } from "./health-store.ts";
import { orderRecovery, recoverSome } from "./redeliver-store.ts";

const ROWS = 100_000;
const idAt = (n: number): string => `wd_${String(n).padStart(26, "0")}`;

let app: TestApp;
let long: string;

/** A long log of one webhook, in which one event and the failures are rare, between short logs of others. */
beforeAll(async () => {
  app = await start();
  const { token } = await app.signUp();
  const create = async () => {
    const body = { url: "https://hooks.example.com", events: [] };
    return String((await app.request("POST", "/api/webhooks", { token, body })).data.webhook?.id);
  };
  long = await create();
  const short = await create();
  await app.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, body, status, attempt_count, next_attempt_at, created_at, completed_at)
     select 'wd_' || lpad(n::text, 26, '0'), case when n % 100 = 0 then $2 else $1 end, n,
       case when n % 10000 = 7 then 'estimation.exported' when n % 2 = 0 then 'estimation.approved' else 'share.invited' end,
       '{}', status, 1, case when status in ('pending', 'retry_scheduled') then now() end, now(),
       case when status in ('delivered', 'failed') then now() end
     from generate_series(1, ${ROWS}) n, lateral (select case when n % 5000 = 1 then 'failed' when n % 5000 = 2 then 'pending'
       when n % 5000 = 3 then 'retry_scheduled' else 'delivered' end as status) s`,
    [long, short],
  );
  await app.pool.query(
    "insert into webhook_attempts (delivery_id, number, started_at, duration_ms) select id, 1, now(), 1 from webhook_deliveries",
  );
  await app.pool.query("analyze webhook_deliveries, webhook_attempts");
});

/** A row may be read to find that it does not match, but each range may fetch or sort only one page of rows. */
function expectLookUps(plan: string): void {
  expect(plan).not.toMatch(/Seq Scan on webhook_/);
  expect(plan).not.toMatch(/Filter: .*\b(event|status)\b/);
  // Only pages are sorted, never a whole index range.
  for (const [, rows] of plan.matchAll(/Sort {2}\(cost=\S+ rows=(\d+)/g)) expect(Number(rows)).toBeLessThan(5_000);
}

const eachOf = <T>(values: readonly T[]) => [undefined, ...values.map((value) => [value]), values.slice(0, 2)];
const filters = eachOf(eventNames).flatMap((event) => eachOf(deliveryStatuses).map((status) => ({ event, status })));

describe("a page of a long log is read from an index in order", () => {
  test.each(filters)("event $event, status $status: first page and a deep one", async (filter) => {
    for (const afterId of [null, idAt(ROWS / 2), idAt(50)]) {
      const plans = await plansOf(app.pool, (db) =>
        listDeliveries(db, { webhookId: long, limit: 21, afterId, ...filter }),
      );
      for (const plan of plans) expectLookUps(plan);
      const [plan = ""] = plans;
      // First ids from the ranges of one index, then the rows of a page by their ids.
      expect(plan).toMatch(/using webhook_deliveries_by_kind on webhook_deliveries d .*\n +Index Cond: \(\(ROW/);
      expect(plan).toMatch(/using webhook_deliveries_pkey on webhook_deliveries .*\n +Index Cond: \(\(?id = /);
      expect([...plan.matchAll(/ Scan .*using .* on webhook_deliveries/g)]).toHaveLength(2);
    }
  });
});

test("a page shows deliveries and attempts as of one moment, whatever ends between its statements", async () => {
  const id = idAt(ROWS - 1);
  const sent: string[] = [];
  const query = { webhookId: long, limit: 21, afterId: null, event: undefined, status: undefined };
  await app.pool.query("update webhook_deliveries set attempt_count = 1 where id = $1", [id]);
  const endAnother = async () => {
    await app.pool.query(
      `with d as (update webhook_deliveries set attempt_count = attempt_count + 1 where id = $1 returning attempt_count)
       insert into webhook_attempts (delivery_id, number, started_at, duration_ms) select $1, attempt_count, now(), 1 from d`,
      [id],
    );
  };
  const pool = {
    async query(...given: unknown[]) {
      sent.push("query");
      const result = await (app.pool.query as (...given: unknown[]) => Promise<unknown>)(...given);
      await endAnother();
      return result;
    },
  };
  const page = await listDeliveries(drizzle(pool as unknown as pg.Pool, { casing: "snake_case" }), query);
  expect(sent.length).toBeGreaterThan(0);
  const delivery = page.find((each) => each.id === id);
  expect(delivery?.attempts.map(({ number }) => number)).toEqual([delivery?.attemptCount]);
});

test("the next attempt of a webhook is the first entry of an index", async () => {
  const [plan = ""] = await plansOf(app.pool, (db) => readHealth(db, [long]));
  expect(plan).toContain("webhook_deliveries_due");
  expectLookUps(plan);
});

test("failures since a time are found without reading other deliveries", async () => {
  const recovery = { webhookId: long, since: new Date(0), until: app.clock.now() };
  const input = { recovery, ids: [app.services.ids.next("delivery")], after: null, now: app.clock.now() };
  const plans = await plansOf(app.pool, async (db) => {
    await orderRecovery(db, recovery);
    await recoverSome(db, input);
  });
  const reading = plans.filter((plan) => plan.includes("webhook_deliveries d"));
  expect(reading).toHaveLength(2);
  for (const plan of reading) {
    expect(plan).toMatch(/webhook_deliveries_(failed|by_kind)/);
    expect(plan).not.toMatch(/Seq Scan on webhook_deliveries/);
  }
});
