import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { Interrupted } from "../../jobs/job.ts";
import { kill, spawnWorker } from "./delivery/fixtures/worker-process.ts";
import { emit, emitAll } from "./index.ts";
import { createSpread, spreadJob } from "./spread.ts";

const EVENT = "estimation.tasks_generated";
const app = await start();
const { pool } = app.services;
const { token, userId: someUserId } = await app.signUp();
const made = await app.request("POST", "/api/webhooks", {
  token,
  body: { url: "https://hooks.example.com/", events: [EVENT] },
});
const model = String(made.data.webhook?.id);

beforeEach(async () => {
  await app.pool.query("delete from job_leases");
  await app.pool.query("truncate webhook_spreads, webhook_deliveries cascade");
  await app.pool.query("delete from webhooks where id <> $1", [model]);
});

/** Makes users with so many webhooks each, copies of one; returns the users' ids. */
async function makeReceivers(users: number, webhooksEach = 1, prefix = "a"): Promise<string[]> {
  const { rows } = await app.pool.query<{ id: string }>(
    `with given as (
       insert into users select copy.*
       from users u, generate_series(1, $2) n, jsonb_populate_record(u, jsonb_build_object(
           'id', 'usr_' || $5 || lpad(n::text, 25, '0'), 'email', $5 || n || '@example.com')) copy
       where u.id = $4
       on conflict (id) do update set name = users.name returning id),
     numbered as (select given.id, row_number() over () as n from given, generate_series(1, $3))
     insert into webhooks select copy.*
     from numbered, webhooks w, jsonb_populate_record(w, jsonb_build_object(
           'id', 'wh_' || $5 || lpad(numbered.n::text, 25, '0'), 'user_id', numbered.id)) copy
     where w.id = $1 returning user_id as id`,
    [model, users, webhooksEach, someUserId, prefix],
  );
  return [...new Set(rows.map(({ id }) => id))];
}

const dataOf = (taskCount: number) => ({ estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount });
const tell = (userIds: readonly string[], taskCount = 1, senderId = "usr_sender") =>
  pool.transaction((tx) =>
    emit(tx, app.services, { event: EVENT, data: dataOf(taskCount), userIds, senderId, now: app.clock.now() }),
  );

const context = (signal = new AbortController().signal) => ({ lease: { key: "1", token: "a" }, signal });
/** As a worker runs the job, but without pauses. */
const newRun = () => {
  const run = createSpread(app.services, Number.POSITIVE_INFINITY);
  return (signal?: AbortSignal) => run({}, context(signal));
};
const run = newRun();

/** How many deliveries there are, of how many webhooks, and how many of them are due. */
async function written(): Promise<object> {
  const { rows } = await app.pool.query(
    `select count(*)::int as deliveries, count(distinct (d.webhook_id, d.event_id))::int as receptions,
            count(*) filter (where due_at <= now())::int as due, (select count(*)::int from webhook_spreads) as parts
     from webhook_deliveries d`,
  );
  return rows[0];
}
const all = (deliveries: number) => ({ deliveries, receptions: deliveries, due: deliveries, parts: 0 });

describe("an event", () => {
  test("for 500 webhooks is written with its cause, for 501 by a job", async () => {
    const users = await makeReceivers(501);
    await tell(users.slice(1));
    expect(await written()).toEqual(all(500));
    expect(await countJobs(app.pool, spreadJob.name)).toBe(0);
    await tell(users, 2);
    expect(await written()).toEqual({ ...all(500), parts: 11 });
    expect(await countJobs(app.pool, spreadJob.name)).toBe(1);
    await run();
    expect(await written()).toEqual(all(1_001));
  });

  test.each([500, 501])(
    "of %i webhooks counts as caused by the owner only for the sender's own webhooks",
    async (number) => {
      const users = await makeReceivers(number);
      const [sender = ""] = users;
      await tell(users, 1, sender);
      await run();
      const { rows } = await app.pool.query(
        `select array_agg(w.user_id) as owners from webhook_deliveries d join webhooks w on w.id = d.webhook_id
       where d.caused_by_owner`,
      );
      expect(rows).toEqual([{ owners: [sender] }]);
      expect(await written()).toEqual(all(number));
    },
  );

  test("for thousands of webhooks takes few short statements in the transaction of its cause", async () => {
    const users = await makeReceivers(100, 30);
    const query = vi.spyOn(pg.Client.prototype, "query");
    try {
      await tell(users);
      const calls = query.mock.calls as unknown as [unknown, unknown[]?][];
      expect(calls.length).toBeLessThan(10);
      expect(Math.max(...calls.map(([, given = []]) => JSON.stringify(given).length))).toBeLessThan(10_000);
    } finally {
      query.mockRestore();
    }
    expect(await written()).toEqual({ ...all(0), parts: 2 });
    const batch = vi.spyOn(pg.Client.prototype, "query");
    try {
      await run();
      const lists = (batch.mock.calls as unknown as [unknown, unknown[]?][]).flatMap(([, given = []]) => given);
      expect(Math.max(...lists.map((list) => (Array.isArray(list) ? list.length : 0)))).toBe(100);
    } finally {
      batch.mockRestore();
    }
    expect(await written()).toEqual(all(3_000));
  });

  test("that was rolled back is not spread", async () => {
    const users = await makeReceivers(26, 20);
    const refused = pool.transaction(async (tx) => {
      await emit(tx, app.services, {
        event: EVENT,
        data: dataOf(1),
        userIds: users,
        senderId: users[0] ?? "",
        now: app.clock.now(),
      });
      throw new Error("refused");
    });
    await expect(refused).rejects.toThrow("refused");
    expect(await written()).toEqual(all(0));
    expect(await countJobs(app.pool, spreadJob.name)).toBe(0);
  });

  test("reaches the users of the time when it happened, through the webhooks that they have when it is spread", async () => {
    const users = await makeReceivers(510);
    await tell(users);
    await app.pool.query("update webhooks set active = false where user_id = $1", [users[0]]);
    await app.pool.query("update webhooks set deleted_at = now() where user_id = $1", [users[1]]);
    await app.pool.query("update webhooks set events = '{share.invited}' where user_id = $1", [users[2]]);
    app.clock.advance(1);
    await app.pool.query("update webhooks set created_at = $2 where user_id = $1", [users[3], app.clock.now()]);
    await makeReceivers(5, 1, "b");
    await run();
    expect(await written()).toEqual(all(506));
  });
});

/**
 * Makes the statement that follows the rows of `table`, once there are `deliveries`, wait until nobody holds the lock
 * that this takes. Returns what ends the waiting connection, as PostgreSQL does when it notices that its client is gone.
 */
async function standStill(table: string, deliveries: number) {
  const holder = await app.pool.connect();
  await holder.query("select pg_advisory_lock(8, 8)");
  await holder.query(`
    create function stand_still() returns trigger language plpgsql as $$ begin
      if (select count(*) >= ${deliveries} from webhook_deliveries) then perform pg_advisory_xact_lock_shared(8, 8); end if;
      return null;
    end $$;
    create trigger stand_still after insert or update or delete on ${table}
      for each statement execute function stand_still()`);
  const waiting = `from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  return {
    reached: () => until(async () => (await app.pool.query(`select ${waiting}`)).rowCount === 1),
    async end() {
      await app.pool.query(`select pg_terminate_backend(pid, 10000) ${waiting}`);
      await app.pool.query("drop function stand_still cascade");
      await holder.query("select pg_advisory_unlock(8, 8)");
      holder.release();
    },
  };
}

describe("spreading", () => {
  test("twice at the same time gives every webhook one delivery", async () => {
    const users = await makeReceivers(150, 4);
    await tell(users);
    await Promise.all([run(), newRun()()]);
    await run();
    expect(await written()).toEqual(all(600));
  });

  test("continues after an error midway, and gives every webhook one delivery", async () => {
    const users = await makeReceivers(200, 3);
    await tell(users);
    await app.pool.query(`
      create function refuse_some() returns trigger language plpgsql as $$ begin
        if (select count(*) > 320 from webhook_deliveries) then raise exception 'planted'; end if; return new;
      end $$;
      create trigger refuse_some after insert on webhook_deliveries for each row execute function refuse_some()`);
    try {
      await expect(run()).rejects.toThrow();
    } finally {
      await app.pool.query("drop function refuse_some cascade");
    }
    const { deliveries } = (await written()) as { deliveries: number };
    expect(deliveries).toBeGreaterThan(0);
    expect(deliveries).toBeLessThan(600);
    await run();
    expect(await written()).toEqual(all(600));
  });

  test("continues after a kill of a worker that writes deliveries or stores its progress", async () => {
    await tell(await makeReceivers(50, 14));
    // Nothing listens there.
    await app.pool.query("update webhooks set url = 'https://localhost:1/' where id <> $1", [model]);
    for (const [table, done] of [
      ["webhook_deliveries", 200],
      ["webhook_spreads", 400],
    ] as const) {
      const still = await standStill(table, done + 1);
      const child = spawnWorker(app);
      const reached = still.reached().finally(() => kill(child));
      await reached.finally(still.end);
      await app.pool.query("update job_leases set leased_until = now()");
      expect(await written()).toMatchObject({ deliveries: done, receptions: done, parts: 1 });
    }
    const child = spawnWorker(app);
    await until(async () => (await countJobs(app.pool, spreadJob.name)) === 0);
    await kill(child);
    expect(await written()).toMatchObject({ deliveries: 700, receptions: 700, parts: 0 });
  });

  test("stops with its worker, and the next one continues", async () => {
    await tell(await makeReceivers(26, 20));
    const stopped = AbortSignal.abort();
    await expect(run(stopped)).rejects.toThrow(Interrupted);
    expect(await written()).toMatchObject({ deliveries: 0, parts: 1 });
    await run();
    expect(await written()).toEqual(all(520));
  });

  test("handles events that are added while it runs, and their job ends at once", async () => {
    const users = await makeReceivers(26, 20);
    await tell(users);
    const running = run();
    await tell(users, 2);
    await run();
    await running;
    expect(await written()).toEqual(all(1_040));
  });

  test("gives each webhook its deliveries in the order of the events", async () => {
    const users = await makeReceivers(26, 20);
    for (const taskCount of [1, 2, 3]) await tell(users, taskCount);
    await run();
    const { rows } = await app.pool.query(
      `select distinct array_agg((e.data::json->>'taskCount')::int order by d.id) as events
       from webhook_deliveries d join webhook_events e on e.id = d.event_id group by d.webhook_id`,
    );
    expect(rows).toEqual([{ events: [1, 2, 3] }]);
  });

  test("serves senders in turn: a sender with many deliveries does not delay another", async () => {
    const users = await makeReceivers(26, 20);
    for (const taskCount of [1, 2, 3, 4]) await tell(users, taskCount, "usr_attacker");
    await tell(users, 5, "usr_victim");
    await run();
    const { rows } = await app.pool.query<{ count: number }>(
      `with told as (select d.id, (e.data::json->>'taskCount')::int as event
         from webhook_deliveries d join webhook_events e on e.id = d.event_id)
       select count(*)::int from told where event < 5 and id < (select max(id) from told where event = 5)`,
    );
    // Ids of the same millisecond rise too, so they tell the order. Batches of both are equally large.
    expect(rows[0]?.count).toBeGreaterThan(0);
    expect(rows[0]?.count).toBeLessThan(700);
  });
});

test("many occurrences for few users are spread if they are many deliveries", async () => {
  const users = await makeReceivers(2, 100);
  const occurrences = (count: number) =>
    ({
      event: EVENT,
      senderId: users[0] ?? "",
      now: app.clock.now(),
      all: Array.from({ length: count }, (_, n) => ({ data: dataOf(n), userIds: users })),
    }) as const;
  await pool.transaction((tx) => emitAll(tx, app.services, occurrences(2)));
  expect(await written()).toEqual(all(400));
  await pool.transaction((tx) => emitAll(tx, app.services, occurrences(3)));
  expect(await written()).toEqual({ ...all(400), parts: 3 });
  await run();
  expect(await written()).toEqual(all(1_000));
});

test("the worker runs the job", async () => {
  const withWorker = await start({ worker: true });
  await withWorker.pool.query("select graphile_worker.add_job($1, '{}')", [spreadJob.name]);
  await until(async () => (await countJobs(withWorker.pool, spreadJob.name)) === 0);
});
