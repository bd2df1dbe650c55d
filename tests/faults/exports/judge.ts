import type { Export } from "../../../contract/endpoints/exports.ts";
import type { Finding } from "../finding.ts";
import { type Estimation, goOnUntil, isOver, start } from "./exporting.ts";
import type { Stage } from "./stage.ts";

interface Told {
  readonly estimation: Estimation;
  /** Issues that were there before. */
  readonly former: number;
  readonly ended: Export;
}

/** Compares tasks, ledger and tracker, before and after another export. */
export async function judge(stage: Stage, { estimation, former, ended }: Told): Promise<Finding[]> {
  const { pool, tracker } = stage;
  const { rows } = await pool.query<{ task_id: string; state: string; marker: string; ref: string | null }>(
    "select task_id, state, marker, ref from export_ledger where estimation_id = $1",
    [estimation.id],
  );
  const byMarker = tracker.byMarker();
  const made = () => tracker.made() - former;
  const known = rows.filter(({ state, ref, marker }) => {
    const [issue, ...twins] = byMarker.get(marker) ?? [];
    return state === "created" && issue && twins.length === 0 && ref === issue.ref;
  });
  const rowOf = new Map(rows.map((row) => [row.task_id, row]));
  const placed = estimation.taskIds.filter((taskId) => {
    const parent = estimation.parents.get(taskId) ?? null;
    const [issue] = byMarker.get(rowOf.get(taskId)?.marker ?? "") ?? [];
    return issue && issue.parentRef === (parent === null ? null : rowOf.get(parent)?.ref);
  });
  const tasks = estimation.taskIds.length;
  const before = made();
  const again = await start(stage, estimation.id);
  const [second, told] = await Promise.all([
    goOnUntil(stage, estimation.id, again.id, isOver),
    stage.watch(estimation.id, again.id),
  ]);
  return [
    { what: "issues of the tasks", measured: before, exactly: tasks },
    { what: "tasks of which the ledger names the one issue", measured: known.length, exactly: tasks },
    { what: "issues at their places", measured: placed.length, exactly: tasks },
    { what: "issues that the run says it has made", measured: ended.progress.created, exactly: tasks },
    { what: "issues after another export", measured: made(), exactly: tasks },
    {
      what: "streams of the API that end with what the worker, another process, has done",
      measured: JSON.stringify(told.at(-1)) === JSON.stringify(second) ? 1 : 0,
      exactly: 1,
    },
    { what: "tasks that the other export left alone", measured: second.progress.skipped, exactly: tasks },
  ];
}

/** Returns what the tracker was asked last, and the runs and jobs that have not ended, to find the cause. */
export async function describe({ tracker, pool }: Stage): Promise<string> {
  const { rows: runs } = await pool.query(
    "select id, status, phase, faults, problem, lease, updated_at from export_runs order by id desc limit 2",
  );
  const { rows: items } = await pool.query(
    `select i.number, i.stage, i.outcome, i.sends, l.state, l.look_ups, l.sent_at, l.look_at, l.settles_at
     from export_items i left join export_ledger l using (task_id) where i.outcome = 'pending'`,
  );
  const { rows: paces } = await pool.query("select * from connection_paces");
  const { rows: jobs } = await pool.query("select name, runs, due_at, lease, leased_until from job_leases");
  const asked = tracker.fake.asked.slice(-30);
  return [...asked, ...runs, ...items, ...paces, ...jobs].map((one) => JSON.stringify(one)).join("\n");
}
