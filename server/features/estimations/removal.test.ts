import { afterEach, expect, test } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import type { Database } from "../../db/database.ts";
import { estimationParts } from "../../estimation-parts.ts";
import { removeDeleted } from "./removal-store.ts";

const app = await start({ worker: true, config: { deletedEstimationRetentionDays: 30, revokedKeyRetentionDays: 90 } });
const owner = await app.signUp();
const reviewer = await app.signUp();
const DAY_MS = 86_400_000;
let { token } = owner;

/**
 * An estimation with `options` options, a task for each and for their node, the version that comes with these, a review of
 * it with a comment and a reply, and as many ids removed from its tree.
 */
async function makeEstimation(options: number): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Checkout" } });
  const id = String(data.estimation?.id);
  const node = {
    title: "n",
    kind: "group",
    options: Array.from({ length: options }, (_, n) => ({ title: `o${n}`, hours: 8 })),
  };
  await app.request("PUT", `/api/estimations/${id}/tree`, { token, body: { nodes: [node] } });
  await app.request("POST", `/api/estimations/${id}/tasks/generate`, { token });
  await app.request("PUT", `/api/estimations/${id}/timeline`, { token, body: { hoursPerDay: 6 } });
  const { threads } = (await app.request("GET", `/api/estimations/${id}/threads`, { token })).data;
  const message = { body: "Is this all?" };
  await app.request("POST", `/api/estimations/${id}/threads/${threads?.[0]?.id}/messages`, { token, body: message });
  const body = { email: "colleague@example.com", permission: "view" };
  await app.request("POST", `/api/estimations/${id}/shares`, { token, body });
  const reviews = `/api/estimations/${id}/reviews`;
  const asked = await app.request("POST", reviews, { token, body: { reviewerId: reviewer.userId } });
  const comments = `${reviews}/${asked.data.review?.id}/comments`;
  const said = await app.request("POST", comments, { token, body: { body: "Why?" } });
  await app.request("POST", comments, { token, body: { body: "So.", parentId: said.data.comment?.id } });
  const suggestion = `/api/estimations/${id}/suggestion`;
  const { inputHash } = (await app.request("GET", suggestion, { token })).data.suggestion ?? {};
  await app.request("POST", `${suggestion}/feedback`, { token, body: { inputHash, verdict: "accepted" } });
  await app.pool.query(
    "insert into removed_tree_ids (estimation_id, id) select $1, 'opt_' || lpad(n::text, 26, '0') from generate_series(1, $2) n",
    [id, options],
  );
  return id;
}

/** Gives an estimation an export of one task, with its item and its row of the ledger, and a question to the language model. */
async function addWorkOutside(id: string): Promise<void> {
  await app.pool.query(
    `insert into model_answers (key, estimation_id, user_id, asked_at)
     select 'asked about ' || id, id, owner_id, now() from estimations where id = $1`,
    [id],
  );
  await app.pool.query(
    `insert into export_runs (id, estimation_id, kind, target, destination, project, address, connection_id, user_id, dry_run, recreate_deleted, created_at, updated_at, progress_at)
     select 'exp_' || id, id, 'export', 'github', 'github - acme/shop', 'acme/shop', 'https://github.com', 'con_x', owner_id, false, false, now(), now(), now()
     from estimations where id = $1`,
    [id],
  );
  await app.pool.query(
    "insert into export_items (export_id, number, task_id, level) values ('exp_' || $1, 0, 'tsk_x', 0)",
    [id],
  );
  await app.pool.query(
    `insert into export_ledger (estimation_id, destination, task_id, target, state, marker, touched_at)
     values ($1, 'github - acme/shop', 'tsk_x', 'github', 'created', 'x', now())`,
    [id],
  );
}

const remove = (id: string) => app.request("DELETE", `/api/estimations/${id}`, { token });

/** The tables that refer to estimations, and how many rows of each belong to this one. */
async function rowsOf(id: string): Promise<Record<string, number>> {
  const { rows } = await app.pool.query(
    `select conrelid::regclass::text as table, attname as column from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f' and confrelid = 'estimations'::regclass order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { table, column } of [...rows, { table: "estimations", column: "id" }]) {
    const { rows: counted } = await app.pool.query(`select count(*)::int from ${table} where ${column} = $1`, [id]);
    counts[table] = counted[0].count;
  }
  return counts;
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);
const isGone = async (id: string) => total(await rowsOf(id)) === 0;
const later = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS);
const removal = (time: Date) => removeDeleted(app.services.pool, time, estimationParts);

afterEach(async () => {
  while (await removal(later(1))(1_000));
});

test("a deleted estimation is removed after the set days with everything that belongs to it, and others stay", async () => {
  const [first, second, kept] = [await makeEstimation(3), await makeEstimation(3), await makeEstimation(3)];
  for (const id of [first, second, kept]) await addWorkOutside(id);
  // Every table that refers to estimations has rows here: a new one must be filled here and emptied by the removal.
  expect(Object.values(await rowsOf(first)).filter((count) => count === 0)).toEqual([]);
  await remove(first);
  await app.clock.advance(1_000);
  await remove(second);
  await app.clock.advance(30 * DAY_MS - 500);
  await makeJobsDue(app.pool);
  await until(() => isGone(first));
  const { rows: items } = await app.pool.query("select from export_items where export_id = 'exp_' || $1", [first]);
  expect(items).toEqual([]);
  token = await signIn();
  expect([await isGone(second), await isGone(kept)]).toEqual([false, false]);
  expect((await app.request("GET", `/api/estimations/${kept}/tree`, { token })).status).toBe(200);
});

test("each batch removes about as many rows as allowed, even in the middle of an estimation, until nothing is left", async () => {
  const id = await makeEstimation(25);
  await app.request("DELETE", `/api/estimations/${id}`, { token });
  const left = [total(await rowsOf(id))];
  for (let more = true; more; left.push(total(await rowsOf(id)))) more = await removal(later(1))(10);
  // Two readers, 26 tasks and their totals, a verdict about the suggestion, a message, a thread, a review and what it is about, two versions, their contents, a share, 9 entries
  // of activity, 25 removed ids, a tree, a timeline and the estimation itself, with which the row goes that says what its texts take; and two comments and what
  // bounds mails, which are not counted here. A batch ends with a content.
  expect(left).toEqual([77, 67, 57, 47, 42, 41, 31, 21, 11, 0]);
});

test("two simultaneous workers take different estimations, and few at a time", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 45; n += 1) ids.push(await makeBare());
  const remaining = async () =>
    (await app.pool.query("select count(*)::int from estimations where id = any ($1)", [ids])).rows[0].count;
  expect(await Promise.all([1, 2].map(() => removal(later(1))(1_000)))).toEqual([true, true]);
  expect(await remaining()).toBe(5);
  expect(await removal(later(1))(1_000)).toBe(false);
  expect(await remaining()).toBe(0);
});

test("every statement of a removal uses an index", async () => {
  await app.pool.query(
    `with made as (
       insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at, deleted_at)
       select 'est_' || lpad(n::text, 26, '0'), $1, 'Bulk', '', 0.2, now(), now(), case when n <= 30 then now() end
         from generate_series(1, 5000) n returning id
     ), readers as (insert into estimation_readers (estimation_id, user_id, owns) select id, $1, true from made returning 1),
     trees as (insert into decision_trees select id, '{"nodes":[]}', 12 from made returning 1),
     removed as (insert into removed_tree_ids select id, 'opt_' || n from made, generate_series(1, 3) n returning 1),
     contents as (insert into version_snapshots select id, '\\x00', 1, '{}', 2 from made returning 1),
     versions as (
       insert into versions (id, estimation_id, number, author_id, cause, content_hash, hours, created_at)
       select 'ver' || substr(id, 4), id, 1, $1, 'manual', '\\x00', '{}', now() from made returning 1
     )
     insert into tasks (id, estimation_id, title, description, position, status, base_title, base_description)
       select 'tsk' || substr(id, 4), id, 't', '', 0, 'open', 't', '' from made`,
    [owner.userId],
  );
  await app.pool.query(
    `with made as (
       insert into users (id, email, name, created_at)
       select 'usr_' || lpad(n::text, 26, '0'), n || '@example.com', 'Bulk', now() from generate_series(1, 5000) n returning id
     ) insert into estimation_usage select id, 1, 1, 2 from made`,
  );
  for (const table of [
    "estimation_usage",
    "estimations",
    "estimation_readers",
    "decision_trees",
    "removed_tree_ids",
    "tasks",
    "versions",
    "version_snapshots",
  ])
    await app.pool.query(`vacuum analyze ${table}`);
  const plans = await plansOf(app.pool, (db) => removeDeleted(db as Database, later(1), estimationParts)(100));
  expect(plans.length).toBeGreaterThanOrEqual(9);
  expect(plans[0]).toContain("estimations_by_deletion");
  expect(plans.filter((plan) => plan.includes("Seq Scan"))).toEqual([]);
});

/** A deleted estimation without a tree. */
async function makeBare(): Promise<string> {
  const { rows } = await app.pool.query(
    `insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at, deleted_at)
     values ($2, $1, 'Bare', '', 0.2, now(), now(), $3) returning id`,
    [owner.userId, app.services.ids.next("estimation"), app.clock.now()],
  );
  return rows[0].id;
}

/** Signs in again: moving the clock ahead has ended the session. */
async function signIn(): Promise<string> {
  const { email, password } = owner;
  const { data } = await app.request("POST", "/api/auth/login", { body: { email, password } });
  return String(data.token);
}
