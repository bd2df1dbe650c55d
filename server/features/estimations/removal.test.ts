import { afterEach, expect, test } from "vitest";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import type { Database } from "../../db/database.ts";
import { purgeEstimations } from "../../services/purge-estimations.ts";
import { removeDeleted } from "./removal-store.ts";

const app = await start({ worker: true, config: { deletedEstimationRetentionDays: 30 } });
const owner = await app.signUp();
const reviewer = await app.signUp();
const DAY_MS = 86_400_000;

/** The tables whose rows go with an estimation, by foreign keys of theirs or of others between. */
const CASCADING = `
  with recursive f as (
    select conrelid::regclass::text as name, conkey as columns from pg_constraint
    where contype = 'f' and confdeltype = 'c' and confrelid = 'estimations'::regclass
    union
    select c.conrelid::regclass::text, c.conkey from f join pg_constraint c on c.confrelid = f.name::regclass
    where c.contype = 'f' and c.confdeltype = 'c')
  select distinct name from f`;

let { token } = owner;
let reviewerToken = reviewer.token;

/**
 * An estimation with `options` options, a task for each and for their node, the version that comes with these, a review of
 * it with a comment and a response, a link for a client with a comment, a round of two people whose hours an option has, and as
 * many ids removed from its tree.
 */
async function makeEstimation(options: number): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Checkout" } });
  const id = String(data.estimation?.id);
  const node = {
    title: "n",
    kind: "group",
    options: Array.from({ length: options }, (_, n) => ({ title: `o${n}`, hours: 8 })),
  };
  const written = await app.request("PUT", `/api/estimations/${id}/tree`, { token, body: { nodes: [node] } });
  await app.request("POST", `/api/estimations/${id}/tasks/generate`, { token });
  await app.request("PUT", `/api/estimations/${id}/timeline`, { token, body: { hoursPerDay: 6 } });
  const { threads } = (await app.request("GET", `/api/estimations/${id}/threads`, { token })).data;
  const message = { body: "Is this all?" };
  await app.request("POST", `/api/estimations/${id}/threads/${threads?.[0]?.id}/messages`, { token, body: message });
  const body = { email: "colleague@example.com", permission: "view" };
  await app.request("POST", `/api/estimations/${id}/shares`, { token, body });
  await app.pool.query(
    `insert into held_invitations (id, share_id, address_hash, due_at)
     select id, id, '\\x00', now() from shares where estimation_id = $1`,
    [id],
  );
  const shown = { shows: "hours", percentile: "expected", choices: false, descriptions: false };
  const link = await app.request("POST", `/api/estimations/${id}/links`, { token, body: shown });
  const client = { name: "Cleo Client", email: "cleo@example.com", note: "When could you begin?" };
  const page = `/api/links/${String(link.data.url).split("/").at(-1)}`;
  expect((await app.request("POST", `${page}/comment`, { body: client })).status).toBe(200);
  const reviews = `/api/estimations/${id}/reviews`;
  const asked = await app.request("POST", reviews, { token, body: { reviewerId: reviewer.userId } });
  await app.pool.query("insert into viewed_options (review_id, option_id) values ($1, 'opt_x')", [
    asked.data.review?.id,
  ]);
  const comments = `${reviews}/${asked.data.review?.id}/comments`;
  const said = await app.request("POST", comments, { token, body: { body: "Why?" } });
  await app.request("POST", comments, { token, body: { body: "So.", parentId: said.data.comment?.id } });
  const nodes = written.data.tree?.nodes as unknown as { options: { id: string }[] }[];
  const optionId = nodes[0]?.options[0]?.id;
  const asks = { optionIds: [optionId], participants: [owner.userId, reviewer.userId] };
  const opened = await app.request("POST", `/api/estimations/${id}/rounds`, { token, body: asks });
  const round = `/api/estimations/${id}/rounds/${opened.data.round?.id}`;
  const estimate = { optionId, optimistic: 1, likely: 2, pessimistic: 4 };
  for (const by of [token, reviewerToken])
    await app.request("POST", `${round}/estimates`, { token: by, body: estimate });
  await app.request("POST", `${round}/reveal`, { token });
  const adopted = await app.request("POST", `${round}/adopt`, { token, body: { optionId, from: "pool" } });
  expect(adopted.status, adopted.text).toBe(200);
  const suggestion = `/api/estimations/${id}/suggestion`;
  const { receipt } = (await app.request("GET", suggestion, { token })).data;
  await app.request("POST", `${suggestion}/feedback`, { token, body: { receipt, verdict: "accepted" } });
  await app.pool.query(
    "insert into removed_tree_ids (estimation_id, id) select $1, 'opt_' || lpad(n::text, 26, '0') from generate_series(1, $2) n",
    [id, options],
  );
  return id;
}

/** A template of somebody else. */
const templateId = await (async () => {
  const given = { token: reviewer.token };
  const made = await app.request("POST", "/api/estimations", { ...given, body: { title: "Shop" } });
  const estimationId = made.data.estimation?.id;
  const tree = { nodes: [{ title: "n", kind: "group", options: [] }] };
  await app.request("PUT", `/api/estimations/${estimationId}/tree`, { ...given, body: tree });
  const { data } = await app.request("POST", "/api/templates", { ...given, body: { estimationId, name: "Shop" } });
  return data.template?.id;
})();

/**
 * Gives an estimation an export of one task, with its item and its row of the ledger, a question to the language model, a stream,
 * and a template that was added to it.
 */
async function addWorkOutside(id: string): Promise<void> {
  await app.pool.query("insert into template_uses (template_id, estimation_id, applied_at) values ($1, $2, now())", [
    templateId,
    id,
  ]);
  await app.pool.query(
    `insert into model_responses (key, estimation_id, user_id, asked_at)
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
    `with stream as (
       insert into live_streams (id, user_id, is_person, seen_at)
       select 'str_' || md5(id), owner_id, true, now() from estimations where id = $1 returning id)
     insert into live_places (stream_id, estimation_id) select id, $1 from stream`,
    [id],
  );
  await app.pool.query(
    `insert into export_ledger (estimation_id, destination, task_id, target, state, marker, touched_at)
     values ($1, 'github - acme/shop', 'tsk_x', 'github', 'created', 'x', now())`,
    [id],
  );
}

const remove = (id: string) => app.request("DELETE", `/api/estimations/${id}`, { token });

/** The id of an estimation, and those of the rows that refer to it, but for numbers, which many rows have by chance. */
async function idsOf(id: string): Promise<string[]> {
  const { rows: tables } = await app.pool.query(
    `select conrelid::regclass::text as name from pg_constraint
       join pg_attribute on attrelid = conrelid and attname = 'id' and atttypid = 'text'::regtype
      where contype = 'f' and confrelid = 'estimations'::regclass and conrelid <> 'removed_tree_ids'::regclass`,
  );
  const ids = [id];
  for (const { name } of tables) {
    const { rows } = await app.pool.query(`select id from ${name} where estimation_id = $1`, [id]);
    ids.push(...rows.map((row) => row.id));
  }
  return ids;
}

/** Every table of the service, and how many of its rows hold one of these ids, in whatever column. */
async function rowsWith(ids: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await app.pool.query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const isAny = ids.map((id) => `%${id}%`);
    const { rows } = await app.pool.query(`select count(*)::int from "${name}" as row where row::text like any ($1)`, [
      isAny,
    ]);
    counts[name] = rows[0].count;
  }
  return counts;
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);
const exists = async (id: string) =>
  (await app.pool.query("select from estimations where id = $1", [id])).rowCount === 1;
const later = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS);
const removal = (time: Date) => removeDeleted(app.services.pool, time, purgeEstimations);

afterEach(async () => {
  while (await removal(later(1))(1_000));
});

test("a deleted estimation is removed after its retention, no table holds a row of it afterwards, and others stay", async () => {
  const [first, second, kept] = [await makeEstimation(3), await makeEstimation(3), await makeEstimation(3)];
  for (const id of [first, second, kept]) await addWorkOutside(id);
  const [ids, idsOfKept] = [await idsOf(first), await idsOf(kept)];
  const ofKept = await rowsWith(idsOfKept);
  // Every table that refers to estimations, or to what belongs to them, has rows here: a new one must be filled here.
  const { rows: tables } = await app.pool.query(CASCADING);
  expect(tables.map(({ name }) => name).filter((name) => !ofKept[name])).toEqual([]);
  await remove(first);
  await app.clock.advance(1_000);
  await remove(second);
  await app.clock.advance(30 * DAY_MS - 500);
  await makeJobsDue(app.pool);
  await until(async () => !(await exists(first)));
  expect(Object.entries(await rowsWith(ids)).filter(([, count]) => count > 0)).toEqual([]);
  token = await signIn(owner);
  reviewerToken = await signIn(reviewer);
  expect([await exists(second), await rowsWith(idsOfKept)]).toEqual([true, ofKept]);
  expect((await app.request("GET", `/api/estimations/${kept}/tree`, { token })).status).toBe(200);
});

test("removing an estimation restores its owner's usage to what it was before", async () => {
  const usage = async () =>
    (await app.pool.query("select * from estimation_usage where owner_id = $1", [owner.userId])).rows;
  const before = await usage();
  const id = await makeEstimation(150);
  expect(total(await rowsWith([id]))).toBeGreaterThan(300);
  await app.pool.query("update text_usage set bytes = 200000 where estimation_id = $1", [id]);
  await app.pool.query("update estimation_usage set text_steps = text_steps + 3 where owner_id = $1", [owner.userId]);
  const [during] = await usage();
  expect([during.tree_steps > before[0].tree_steps, Number(during.version_bytes) > 0]).toEqual([true, true]);
  await remove(id);
  await removal(later(1))(1);
  expect(await usage()).toEqual(before);
});

test("two simultaneous workers remove different estimations, a few at a time", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 25; n += 1) ids.push(await makeBare());
  const remaining = async () =>
    (await app.pool.query("select count(*)::int from estimations where id = any ($1)", [ids])).rows[0].count;
  expect(await Promise.all([1, 2].map(() => removal(later(1))(1_000)))).toEqual([true, true]);
  expect(await remaining()).toBe(5);
  expect(await removal(later(1))(1_000)).toBe(false);
  expect(await remaining()).toBe(0);
});

test("every foreign key that a removal follows has an index that begins with its columns", async () => {
  const { rows } = await app.pool.query(`
    ${CASCADING.replace("distinct name", "name, columns")} where not exists (
      select from pg_index i where i.indrelid = f.name::regclass and i.indpred is null
        and (i.indkey::smallint[])[0:cardinality(f.columns) - 1] @> f.columns)`);
  expect(rows).toEqual([]);
  const plans = await plansOf(app.pool, async (db) => {
    await removeDeleted(db as Database, later(1), purgeEstimations)(100);
  });
  expect(plans[0]).toContain("estimations_by_deletion");
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
async function signIn({ email, password }: TestUser): Promise<string> {
  const { data } = await app.request("POST", "/api/auth/login", { body: { email, password } });
  return String(data.token);
}
