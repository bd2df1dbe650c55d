import pg from "pg";
import { expect, test, vi } from "vitest";
import { start } from "../../../tests/harness.ts";
import { emit } from "./index.ts";

const USERS = 200;
const WEBHOOKS_EACH = 100;
const EVENT = "estimation.tasks_generated";

const app = await start();

/** Makes users with webhooks that are copies of one; returns the users' ids. */
async function makeReaders(): Promise<string[]> {
  const { token } = await app.signUp();
  const body = { url: "https://hooks.example.com/", events: [EVENT] };
  const { data } = await app.request("POST", "/api/webhooks", { token, body });
  const { rows } = await app.pool.query<{ id: string }>(
    `with given as (
       insert into users select (jsonb_populate_record(u, jsonb_build_object(
           'id', 'usr_' || lpad(n::text, 26, '0'), 'email', n || '@example.com'))).*
       from users u, generate_series(1, $2) n returning id)
     insert into webhooks select (jsonb_populate_record(w, jsonb_build_object(
           'id', 'wh_' || lpad(row_number() over ()::text, 26, '0'), 'user_id', given.id))).*
     from given, webhooks w, generate_series(1, $3) where w.id = $1 returning user_id as id`,
    [data.webhook?.id, USERS, WEBHOOKS_EACH],
  );
  return [...new Set(rows.map(({ id }) => id))];
}

/** Runs `work` and returns how many values the longest list had that a statement carried. */
async function longestList(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    const values = (query.mock.calls as unknown as [unknown, unknown[]?][]).flatMap(([, given = []]) => given);
    return Math.max(...values.map(lengthOf));
  } finally {
    query.mockRestore();
  }
}

/** Jobs are given as one text of JSON. */
function lengthOf(value: unknown): number {
  const list = typeof value === "string" && value.startsWith("[") ? JSON.parse(value) : value;
  return Array.isArray(list) ? list.length : 0;
}

test("an event for 20,000 webhooks is written in statements for a thousand of them", async () => {
  const { pool } = app.services;
  const userIds = await makeReaders();
  const data = { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: 1 };
  const emission = { event: EVENT, data, userIds, now: app.clock.now() } as const;
  expect(await longestList(() => pool.transaction((tx) => emit(tx, app.services, emission)))).toBe(2_000);
  const { rows } = await app.pool.query(
    `select count(distinct w.id)::int as told, count(distinct w.user_id)::int as users,
            count(distinct j.payload->>'deliveryId')::int as jobs
     from webhook_deliveries d join webhooks w on w.id = d.webhook_id
     left join graphile_worker._private_jobs j on j.payload->>'deliveryId' = d.id`,
  );
  const all = USERS * WEBHOOKS_EACH;
  expect(rows).toEqual([{ told: all, users: USERS, jobs: all }]);
});
