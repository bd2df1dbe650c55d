import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { createRemoval } from "./old-runs.ts";
import { RETAINED_ITEMS } from "./old-runs-store.ts";

const RUNS = limits.exportsPerEstimation;
const ITEMS = RETAINED_ITEMS;

// No worker runs: the job is done when a test says so.
const app = await start();
const { token, userId } = await app.signUp();
const remove = createRemoval(app.services);

interface Run {
  readonly total: number;
  readonly status?: string;
  readonly retryOf?: string;
}

/** An estimation with runs, the oldest first; their ids are `run` and their place in order. */
async function withRuns(runs: readonly Run[]) {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const estimationId = String(data.estimation?.id);
  const idOf = (at: number) => `${estimationId}-${String(at).padStart(3, "0")}`;
  for (const [at, { total, status = "completed", retryOf = null }] of runs.entries())
    await app.pool.query(
      `insert into export_runs (id, estimation_id, kind, target, address, destination, project, connection_id, user_id,
         dry_run, recreate_deleted, status, retry_of, total, progress_at, created_at, updated_at)
       values ($1, $2, 'export', $3, '', '', 'a/b', 'con', $4, false, false, $5, $6, $7, now(), now(), now())`,
      [idOf(at), estimationId, at % 2 ? "github" : "jira", userId, status, retryOf && idOf(Number(retryOf)), total],
    );
  return {
    idOf,
    /** Does the job, and returns the places of the runs that are left. */
    async trim() {
      await remove({ estimationId }, { signal: new AbortController().signal });
      const { rows } = await app.pool.query("select id from export_runs where estimation_id = $1 order by id", [
        estimationId,
      ]);
      return rows.map(({ id }) => Number(String(id).slice(-3)));
    },
  };
}

const places = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const many = (count: number, total: number): Run[] => Array.from({ length: count }, () => ({ total }));

test(`${RUNS} runs of an estimation are retained; with one more, the oldest is removed`, async () => {
  const other = await withRuns(many(RUNS, 1));
  expect(await other.trim()).toEqual(places(0, RUNS));
  const { trim } = await withRuns(many(RUNS + 1, 1));
  expect(await trim()).toEqual(places(1, RUNS + 1));
  expect(await other.trim()).toHaveLength(RUNS);
});

test(`runs with ${ITEMS} tasks together are retained; with one task more, the oldest is removed`, async () => {
  expect(await (await withRuns([{ total: 1 }, { total: ITEMS / 2 - 1 }, { total: ITEMS / 2 }])).trim()).toEqual([
    0, 1, 2,
  ]);
  expect(await (await withRuns([{ total: 1 }, { total: ITEMS / 2 }, { total: ITEMS / 2 }])).trim()).toEqual([1, 2]);
  // The newest one stays in any case.
  expect(await (await withRuns([{ total: 1 }, { total: 2 * ITEMS }])).trim()).toEqual([1]);
});

test("active runs, and the runs that they retry, are retained beyond the limits", async () => {
  const { trim } = await withRuns([
    { total: ITEMS },
    { total: ITEMS },
    { total: ITEMS, status: "running" },
    { total: ITEMS, status: "queued", retryOf: "1" },
    { total: ITEMS },
  ]);
  expect(await trim()).toEqual([1, 2, 3, 4]);
});

test("a run that another one retries is retained until that one has listed its tasks: it may have ended before, and be resumed", async () => {
  const { trim, idOf } = await withRuns([{ total: 1 }, { total: ITEMS }, { total: 0, status: "failed", retryOf: "0" }]);
  expect(await trim()).toEqual([0, 1, 2]);
  await app.pool.query("update export_runs set layout = '{}' where id = $1", [idOf(2)]);
  expect(await trim()).toEqual([1, 2]);
});

test("a run with more tasks than one transaction removes is removed completely, finished items first", async () => {
  const { trim, idOf } = await withRuns([{ total: 2_500 }, { total: ITEMS }]);
  await app.pool.query(
    `insert into export_items (export_id, number, task_id, level, outcome)
     select $1, n, 'task_' || n, 0, case when n % 5 = 0 then 'failed' else 'created' end from generate_series(0, 2499) n`,
    [idOf(0)],
  );
  const outcomes: string[][] = [];
  const { pool } = app.services;
  const watched = {
    ...pool,
    transaction: async (work: never) => {
      const more = await pool.transaction(work);
      const { rows } = await app.pool.query(
        "select outcome, count(*)::int from export_items where export_id = $1 group by 1 order by 1",
        [idOf(0)],
      );
      outcomes.push(rows.map(({ outcome, count }) => `${outcome} ${count}`));
      return more;
    },
  };
  await createRemoval({ pool: watched as unknown as typeof pool })(
    { estimationId: idOf(0).slice(0, -4) },
    { signal: new AbortController().signal },
  );
  expect(outcomes).toEqual([["created 1000", "failed 500"], ["failed 500"], [], []]);
  expect(await trim()).toEqual([1]);
});
