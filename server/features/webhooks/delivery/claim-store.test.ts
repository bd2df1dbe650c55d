import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { start, type TestApp, type TestUser } from "../../../../tests/harness.ts";
import { rowsRead } from "../../../../tests/support/plans.ts";
import type { Database } from "../../../db/database.ts";
import { removeDeleted } from "../store.ts";
import { type Claim, type Claimed, prepareClaim, type Wanted } from "./claim-store.ts";
import { type Outcome, prepareOutcomes } from "./outcome-store.ts";

let app: TestApp;
let user: TestUser;
let other: TestUser;

beforeAll(async () => {
  app = await start();
  user = await app.signUp();
  other = await app.signUp();
});
beforeEach(async () => {
  await app.pool.query("delete from webhooks");
  await app.pool.query("delete from webhook_owners");
});

/** Makes a webhook with so many deliveries that are due, the first one longest; returns its id. */
async function fill(count: number, { userId }: TestUser = user): Promise<string> {
  const id = app.services.ids.next("webhook");
  await app.pool.query(
    `insert into webhooks (id, user_id, url, events, description, active, body_format, secret, created_at, updated_at)
     values ($1, $2, 'https://hooks.example.com', '{}', '', true, 'data', '', now(), now())`,
    [id, userId],
  );
  await app.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, body, due_at, next_attempt_at, created_at)
     select 'wd_' || right($1, 13) || lpad(n::text, 13, '0'), $1, n, 'webhook.test', '{}', now() - interval '1 day' + n * interval '1 ms',
       now(), now() from generate_series(1, $2::int) n`,
    [id, count],
  );
  return id;
}

const claim = (wanted: Partial<Wanted> = {}, db: Database = app.services.pool): Promise<Claim> =>
  prepareClaim(db)({
    lease: randomUUID(),
    leaseMs: 18_000,
    room: 300,
    firstRoom: 400,
    slowRoom: 200,
    perMinute: 1_000_000,
    after: "",
    now: app.clock.now(),
    ...wanted,
  });
/** Claims as a process does, which looks again at webhooks of which nothing was known. */
async function take(wanted: Partial<Wanted> = {}): Promise<readonly Claimed[]> {
  const first = await claim(wanted);
  return first.passedOver ? [...first.claimed, ...(await claim(wanted)).claimed] : first.claimed;
}

const response = (claimed: Claimed, tookMs = 5, more: Partial<Outcome> = {}): Outcome => ({
  claimed,
  attempt: {
    startedAt: new Date(0).toISOString(),
    durationMs: tookMs,
    responseStatus: 200,
    responseHeaders: { server: 'quo"ted' },
    responseBody: "ok",
    error: null,
  },
  tookMs,
  status: "delivered",
  nextAttemptAt: null,
  completedAt: new Date(1_000),
  delayMs: null,
  ...more,
});
const failure = (claimed: Claimed, error: "timeout" | "status", tookMs: number): Outcome => ({
  ...response(claimed, tookMs, { status: "retry_scheduled", nextAttemptAt: new Date(), completedAt: null, delayMs: 0 }),
  attempt: {
    startedAt: new Date(0).toISOString(),
    durationMs: tookMs,
    responseStatus: null,
    responseHeaders: null,
    responseBody: null,
    error,
  },
});
const hang = (claimed: Claimed): Outcome => failure(claimed, "timeout", 10_000);
const giveBack = (claimed: Claimed): Outcome => ({
  ...response(claimed, 0, { status: null, completedAt: null }),
  attempt: null,
});
const record = (outcomes: readonly Outcome[]) => prepareOutcomes(app.services.pool)(outcomes);

/** Responds so quickly and so often that the webhook gets the most slots. */
async function grow(webhookId: string): Promise<void> {
  await app.pool.query(
    `insert into webhook_health (webhook_id, slots, last_ms) values ($1, 32, 1100)
     on conflict (webhook_id) do update set slots = 32, last_ms = 1100`,
    [webhookId],
  );
}
const slots = async (webhookId: string) =>
  (await app.pool.query("select slots from webhook_health where webhook_id = $1", [webhookId])).rows[0]?.slots;
const expire = () =>
  app.pool
    .query("update webhook_deliveries set leased_until = now() - interval '1 s' where lease is not null")
    .then(() => app.pool.query("update webhook_health set leased_until = now() - interval '1 s'"));
const underWay = async () =>
  (
    await app.pool.query(
      `select (select sum(under_way)::int from webhook_health) as lanes, (select sum(under_way)::int from webhook_owners) as owners`,
    )
  ).rows[0];
const attemptsOf = async (id: string) =>
  (await app.pool.query("select number, error from webhook_attempts where delivery_id = $1 order by number", [id]))
    .rows;

describe("an endpoint's slots", () => {
  test("are few at first, and grow by one with every response, up to a limit", async () => {
    const id = await fill(300);
    const first = await take();
    expect(first).toHaveLength(4);
    expect(await take()).toHaveLength(0);
    await record(first.slice(0, 1).map((one) => response(one, 1_001)));
    expect(await slots(id)).toBe(5);
    const second = await take();
    expect(second).toHaveLength(2);
    await record([...first.slice(1), ...second].map((one) => response(one, 1_001)));
    for (let round = 0; round < 5; round++) await record((await take()).map((one) => response(one, 1_001)));
    expect([await slots(id), (await take()).length]).toEqual([32, 32]);
  });

  test("drop to one when it hangs, and grow again with its responses", async () => {
    const id = await fill(100);
    await grow(id);
    const [first, ...others] = await take();
    await record([hang(first as Claimed)]);
    expect([await slots(id), await take()]).toEqual([1, []]);
    await record(others.map(giveBack));
    const [only, ...more] = await take();
    expect(more).toEqual([]);
    await record([response(only as Claimed, 1_001)]);
    expect(await take()).toHaveLength(2);
  });

  test("drop to one after a failure as slow as a hang, not after a quick failure or a slow response", async () => {
    const id = await fill(100);
    const [a, b, c, d] = (await take()) as [Claimed, Claimed, Claimed, Claimed];
    await record([failure(a, "status", 5), response(b, 3_000), response(c, 3_001)]);
    expect(await slots(id)).toBe(6);
    await record([failure(d, "status", 9_000)]);
    expect(await slots(id)).toBe(1);
  });

  test("are not leased ahead at an endpoint that stalls, until it responds again", async () => {
    const id = await fill(500);
    await record((await take()).map((one) => response(one, 5)));
    const [first, ...others] = await take();
    expect(others.length + 1).toBe(8 + 96);
    await record(others.slice(7).map((one) => ({ ...giveBack(one), tookMs: 1_200 })));
    expect(await take()).toEqual([]);
    expect(await slots(id)).toBe(1);
    await record([response(first as Claimed, 5)]);
    // Two slots, of which seven are under way.
    expect((await take()).length).toBe(2 - 7 + 96);
  });

  test("stay the same if nothing was sent", async () => {
    const id = await fill(10);
    await record((await take()).map(giveBack));
    const [one] = await take();
    const unsent = { ...hang(one as Claimed).attempt, error: "webhook_inactive" } as Outcome["attempt"];
    await record([{ ...hang(one as Claimed), attempt: unsent }]);
    const { rows } = await app.pool.query("select slots, last_ms from webhook_health where webhook_id = $1", [id]);
    expect(rows).toEqual([{ slots: 4, last_ms: null }]);
  });

  test("of a quick endpoint are reused at once: as many deliveries as it soon accepts are leased ahead, but none of a slow one", async () => {
    await fill(500);
    await record((await take()).map((one) => response(one, 5)));
    expect((await take()).length).toBe(8 + 96);
    await fill(500, other);
    const slow = await take();
    await record(slow.map((one) => response(one, 1_001)));
    expect((await take()).length).toBe(8);
  });

  test.each([
    { serviceMs: 1_000, atOnce: 1 },
    { serviceMs: 400, atOnce: 1 },
    { serviceMs: 3_000, atOnce: 1 },
    { serviceMs: 3_000, atOnce: 8 },
  ])(
    "do not exceed what an endpoint can handle: $atOnce at a time, $serviceMs ms each",
    async ({ serviceMs, atOnce }) => {
      const TIMEOUT_MS = 10_000;
      const DELIVERIES = 300;
      const id = await fill(DELIVERIES);
      const freeAt = Array.from({ length: atOnce }, () => 0);
      let [sent, timeouts] = [0, 0];
      const ends: { at: number; outcome: Outcome }[] = [];
      const waiting: Claimed[] = [];
      let [lane, open] = [0, 0];
      const send = async (nowMs: number): Promise<void> => {
        for (const claimed of await take()) {
          lane = claimed.slots;
          waiting.push(claimed);
        }
        while (waiting.length > 0 && open < lane) {
          const claimed = waiting.shift() as Claimed;
          open += 1;
          sent += 1;
          freeAt.sort((a, b) => a - b);
          const durationMs = Math.max(0, (freeAt[0] as number) - nowMs) + serviceMs;
          const isLate = durationMs > TIMEOUT_MS;
          if (isLate) timeouts += 1;
          else freeAt[0] = nowMs + durationMs;
          const outcome = isLate
            ? { ...response(claimed), ...hang(claimed), status: "failed" as const, delayMs: null }
            : response(claimed, durationMs);
          ends.push({ at: nowMs + Math.min(durationMs, TIMEOUT_MS), outcome });
        }
      };
      await send(0);
      while (ends.length > 0) {
        ends.sort((a, b) => a.at - b.at);
        const at = ends[0]?.at ?? 0;
        const now = ends.splice(
          0,
          ends.findIndex((end) => end.at > at) === -1 ? ends.length : ends.findIndex((end) => end.at > at),
        );
        open -= now.length;
        await record(now.map(({ outcome }) => outcome));
        await send(at);
      }
      expect(sent).toBe(DELIVERIES);
      expect(timeouts / DELIVERIES).toBeLessThanOrEqual(0.01);
      expect(await slots(id)).toBeGreaterThanOrEqual(1);
    },
    120_000,
  );
});

describe("a claim", () => {
  test("leases the longest due first, and nothing that is not due yet or was deleted", async () => {
    const id = await fill(3);
    await app.pool.query("update webhook_deliveries set due_at = now() + interval '1 minute' where event_id = 2");
    await app.pool.query("update webhook_deliveries set due_at = now() - interval '2 days' where event_id = 3");
    const deleted = await fill(3);
    await app.pool.query("update webhooks set deleted_at = now() where id = $1", [deleted]);
    const taken = await take();
    expect(taken.map(({ webhookId }) => webhookId)).toEqual([id, id]);
    expect(taken.map((one) => Number(one.id.slice(-13)))).toEqual([3, 1]);
  });

  test("leases from each endpoint in turn if there is not room for all, and leaves room that slow endpoints may not use", async () => {
    const [a, b] = [await fill(10), await fill(10)];
    const taken = await take({ slowRoom: 6 });
    expect(Map.groupBy(taken, ({ webhookId }) => webhookId).get(a)).toHaveLength(3);
    await record(taken.map((one) => response(one, one.webhookId === a ? 5 : 5_000)));
    const next = await take({ room: 7, firstRoom: 7, slowRoom: 2 });
    expect(next.filter(({ webhookId }) => webhookId === b)).toHaveLength(2);
    expect(next.filter(({ webhookId }) => webhookId === a)).toHaveLength(7);
  });

  test("reserves the last slots of a process for endpoints with nothing under way", async () => {
    const [a, b] = [await fill(100), await fill(100, other)];
    for (const id of [a, b]) await grow(id);
    await app.pool.query("update webhook_health set last_ms = 5");
    expect(await take({ room: 0, firstRoom: 100 })).toHaveLength(2);
    await fill(100, other).then(grow);
    await app.pool.query("update webhook_health set last_ms = 5");
    expect(await take({ room: 0, firstRoom: 98 })).toHaveLength(1);
    expect(await take({ room: 0, firstRoom: 97 })).toHaveLength(0);
    expect(await take({ room: 30, firstRoom: 97 })).toHaveLength(30);
  });

  test("of two processes at the same time leases no delivery twice, and no more than there are slots", async () => {
    for (let n = 0; n < 8; n++) await fill(10);
    await claim();
    const all = await Promise.all(Array.from({ length: 6 }, () => take()));
    const ids = all.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const { rows } = await app.pool.query(
      "select max(taken)::int as most from (select count(*) as taken from webhook_deliveries where lease is not null group by webhook_id) t",
    );
    expect(rows[0].most).toBeLessThanOrEqual(4);
    expect((await underWay()).lanes).toBe(
      (await app.pool.query("select from webhook_deliveries where lease is not null")).rowCount,
    );
  });

  test("continues at the next webhook if there are very many, and starts over at the end", async () => {
    await app.pool.query(
      `insert into webhooks (id, user_id, url, events, description, active, body_format, secret, created_at, updated_at)
       select 'wh_' || lpad(n::text, 26, '0'), $1, '', '{}', '', true, 'data', '', now(), now() from generate_series(1, 501) n`,
      [user.userId],
    );
    await app.pool.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event, body, due_at, created_at)
       select 'wd_' || n, 'wh_' || lpad(n::text, 26, '0'), n, 'webhook.test', '{}', now() + interval '1 hour', now()
       from generate_series(1, 501) n`,
    );
    await app.pool.query("update webhook_deliveries set due_at = now() where event_id = 501");
    const first = await claim();
    expect([first.claimed, first.last]).toEqual([[], `wh_${"500".padStart(26, "0")}`]);
    const rest = () => claim({ after: first.last ?? "" });
    await rest();
    const second = await rest();
    expect([second.claimed.length, second.last]).toEqual([1, null]);
  });

  test("reads no more rows if very many are due, whether the endpoint may get more or hangs", async () => {
    const read = async (count: number) => {
      await app.pool.query("delete from webhooks");
      await app.pool.query("delete from webhook_owners");
      await fill(count);
      await fill(10, other);
      await app.pool.query("vacuum (analyze) webhook_deliveries");
      await claim();
      const rows = await rowsRead(app.pool, async (db) => expect((await claim({}, db)).claimed).toHaveLength(8));
      const hanging = await rowsRead(app.pool, async (db) => expect((await claim({}, db)).claimed).toHaveLength(0));
      return { rows, hanging };
    };
    const few = await read(100);
    const many = await read(100_000);
    expect(many.rows).toBeLessThanOrEqual(few.rows + 10);
    expect(many.hanging).toBeLessThanOrEqual(few.hanging + 10);
  }, 120_000);
});

describe("an owner", () => {
  test("has a share of slow endpoints, even with ever new ones; other owners are not affected", async () => {
    for (let n = 0; n < 40; n++) await fill(5);
    expect(await take()).toHaveLength(32);
    await fill(5, other);
    expect(await take()).toHaveLength(4);
  });

  test("has a share of all, however quick the endpoints are", async () => {
    for (let n = 0; n < 3; n++) {
      const id = await fill(200);
      await grow(id);
    }
    await app.pool.query("update webhook_health set last_ms = 5");
    expect(await take()).toHaveLength(128);
    await fill(5, other);
    expect(await take()).toHaveLength(4);
  });

  /** Leases as much as an owner may at quick endpoints. */
  async function fillWithQuick(): Promise<readonly Claimed[]> {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(await fill(300));
    for (const id of ids) await grow(id);
    await app.pool.query("update webhook_health set last_ms = 5");
    const taken = await take();
    expect(taken).toHaveLength(128);
    return taken;
  }

  test("whose quick endpoints use all that they may has room for the first delivery to every other endpoint", async () => {
    const [first, ...others] = await fillWithQuick();
    const fresh = [await fill(5), await fill(5)];
    const slow = await fill(5);
    await app.pool.query("insert into webhook_health (webhook_id, slots, last_ms) values ($1, 1, 9000)", [slow]);
    await record([response(first as Claimed)]);
    const [next, ...more] = await take();
    expect(more).toEqual([]);
    expect([...fresh, slow]).toContain(next?.webhookId);
    await record(others.slice(0, 20).map((one) => response(one)));
    const left = [...fresh, slow].filter((id) => id !== next?.webhookId);
    expect((await take()).map(({ webhookId }) => webhookId)).toEqual(expect.arrayContaining(left));
  });

  test("has one limit for quick and slow endpoints together, under way and in a minute", async () => {
    await fill(300).then(grow);
    await fill(300).then(grow);
    await app.pool.query("update webhook_health set last_ms = 5");
    for (let n = 0; n < 40; n++) await fill(5);
    const few = await take({ perMinute: 40 });
    expect(few).toHaveLength(40);
    await app.pool.query("update webhook_owners set claimed = 0");
    const taken = [...few, ...(await take()), ...(await take())];
    expect(taken).toHaveLength(128);
    expect(taken.filter(({ isSlow }) => isSlow)).toHaveLength(32);
  });

  test("begins no more in a minute than the limit; deliveries that were given back do not count", async () => {
    const ids = [await fill(20), await fill(20)];
    const first = await take({ perMinute: 6 });
    expect(first).toHaveLength(6);
    await record(first.map((one) => response(one, 1_001)));
    expect(await take({ perMinute: 6 })).toHaveLength(0);
    await fill(5, other);
    expect(await take({ perMinute: 6 })).toHaveLength(4);
    await app.pool.query("update webhook_owners set minute_began = minute_began - interval '61 s'");
    const second = await take({ perMinute: 6 });
    expect(second.filter(({ ownerId }) => ownerId === user.userId)).toHaveLength(6);
    expect(new Set(second.map(({ webhookId }) => webhookId))).toEqual(new Set(ids));
    await record(second.map(giveBack));
    expect(await take({ perMinute: 6 })).toHaveLength(6);
  });
});

test("an endpoint that stalls for a fraction of a millisecond longer than quick ones take counts as slow", async () => {
  const id = await fill(1);
  const [one] = await take();
  await record([{ ...giveBack(one ?? expect.unreachable()), tookMs: 1_000.2 }]);
  const { rows } = await app.pool.query("select slots, last_ms from webhook_health where webhook_id = $1", [id]);
  expect(rows).toEqual([{ slots: 1, last_ms: 1_001 }]);
});

describe("a lease that has expired", () => {
  test("is due again, even if all slots are leased; the cut attempt is logged, and no outcome of it is written", async () => {
    await fill(10);
    const cut = await take();
    expect(await take()).toHaveLength(0);
    await expire();
    const again = await take();
    expect(again.map(({ id, attempt }) => [id, attempt])).toEqual(cut.map(({ id }) => [id, 1]));
    expect(await record(cut.map((one) => response(one)))).toEqual([false, false, false, false]);
    expect(await record(again.map((one) => response(one)))).toEqual([true, true, true, true]);
    expect(await attemptsOf(String(cut[0]?.id))).toEqual([
      { number: 1, error: "interrupted" },
      { number: 2, error: null },
    ]);
    expect(await underWay()).toEqual({ lanes: 0, owners: 0 });
  });

  test("does not hold up the rest: all are taken over at once, also by an endpoint with fewer slots than before", async () => {
    const id = await fill(40);
    for (let more = await take(); more.length > 0; more = await take())
      await record(more.slice(0, 4).map((one) => response(one)));
    const { rows } = await app.pool.query("select under_way from webhook_health where webhook_id = $1", [id]);
    await app.pool.query("update webhook_health set slots = 1, last_ms = 5000 where webhook_id = $1", [id]);
    await expire();
    expect(await take()).toHaveLength(rows[0].under_way);
    expect(rows[0].under_way).toBeGreaterThan(4);
  });

  test("25 times makes its delivery fail, so that it cannot end one process after the other for ever", async () => {
    const id = await fill(1);
    for (let time = 1; time <= 25; time++) {
      expect(await take(), String(time)).toHaveLength(1);
      await expire();
    }
    expect(await take()).toHaveLength(0);
    const { rows } = await app.pool.query(
      "select status, attempt_count, interrupted_count, due_at, lease from webhook_deliveries where webhook_id = $1",
      [id],
    );
    expect(rows).toEqual([{ status: "failed", attempt_count: 25, interrupted_count: 25, due_at: null, lease: null }]);
    expect(await underWay()).toEqual({ lanes: 0, owners: 0 });
  });

  test("counts as cut; an attempt that a process ended in an orderly stop does not", async () => {
    await fill(1);
    const cutShort = (one: Claimed): Outcome => {
      const { attempt, ...rest } = giveBack(one);
      return { ...rest, attempt: { ...failure(one, "timeout", 9).attempt, error: "interrupted" } as typeof attempt };
    };
    for (let time = 1; time <= 30; time++) await record((await take()).map(cutShort));
    for (let time = 1; time <= 24; time++) {
      expect(await take(), String(time)).toHaveLength(1);
      await expire();
    }
    const [one, ...more] = await take();
    expect([one?.attempt, more]).toEqual([1, []]);
  });

  test("is taken over before anything new, even if its owner has no room", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await fill(32));
    for (const id of ids) await grow(id);
    await app.pool.query("update webhook_health set last_ms = 5");
    const cut = await take();
    expect(cut).toHaveLength(128);
    await expire();
    const fresh = await fill(5);
    await app.pool.query("update webhook_deliveries set due_at = now() - interval '3 days' where webhook_id = $1", [
      fresh,
    ]);
    const taken = [...(await take()), ...(await take())];
    expect(new Set(taken.map(({ id }) => id))).toEqual(new Set(cut.map(({ id }) => id)));
    expect((await underWay()).owners).toBe(128);
  });
});

describe("an outcome", () => {
  test("is written once, under the lease, with its attempt; the next attempt is due by the database's clock", async () => {
    const id = await fill(1);
    const [one] = (await take()) as [Claimed];
    expect(await record([{ ...failure(one, "status", 5), delayMs: 60_000 }])).toEqual([true]);
    expect(await record([response(one)])).toEqual([false]);
    const { rows } = await app.pool.query(
      `select status, attempt_count, due_at between now() + interval '59 s' and now() + interval '60 s' as later
       from webhook_deliveries where webhook_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: "retry_scheduled", attempt_count: 1, later: true }]);
    expect(await take()).toEqual([]);
    await app.pool.query("update webhook_deliveries set due_at = now()");
    const [second] = (await take()) as [Claimed];
    expect(second.attempt).toBe(2);
    expect(await record([response(second)])).toEqual([true]);
    expect(await attemptsOf(one.id)).toEqual([
      { number: 1, error: "status" },
      { number: 2, error: null },
    ]);
  });

  test("of a webhook that was deleted counts until it is written, or the lease has ended", async () => {
    const id = await fill(3);
    const [first] = (await take()) as [Claimed];
    await app.pool.query("update webhooks set deleted_at = now() where id = $1", [id]);
    expect(await removeDeleted(app.services.pool, 10)).toBe(0);
    expect(await underWay()).toEqual({ lanes: 3, owners: 3 });
    expect(await record([response(first)])).toEqual([true]);
    expect(await removeDeleted(app.services.pool, 10)).toBe(1);
    expect((await underWay()).owners).toBe(2);
    await expire();
    expect(await removeDeleted(app.services.pool, 10)).toBe(2);
    expect((await app.pool.query("select from webhooks where id = $1", [id])).rowCount).toBe(0);
    expect((await underWay()).owners).toBe(0);
  });

  test("that is being written keeps its delivery from being removed meanwhile", async () => {
    const id = await fill(2);
    await app.pool.query("update webhooks set deleted_at = now() where id = $1", [id]);
    const writer = await app.pool.connect();
    try {
      await writer.query("begin");
      await writer.query("select from webhook_deliveries where event_id = 1 for update");
      expect(await removeDeleted(app.services.pool, 10)).toBe(1);
      await writer.query("commit");
    } finally {
      writer.release();
    }
    expect(await removeDeleted(app.services.pool, 10)).toBe(1);
  });
});

test("an event that caused a delivery causes no second one for the same webhook", async () => {
  const id = await fill(1);
  const again = app.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, created_at) values ('wd_2', $1, 1, 'webhook.test', now())`,
    [id],
  );
  await expect(again).rejects.toThrow("webhook_deliveries_by_event");
});
