import type { Export } from "../../../contract/exports.ts";
import { type FaultKind, randoms } from "../../support/github/faults.ts";
import type { Finding } from "../finding.ts";
import { until } from "../until.ts";
import { type Stage, setStage } from "./stage.ts";

/**
 * Everything that goes wrong by chance. `retry_after_403` is a secondary limit; those that do not say how long to wait are
 * tested with the adapter, because the pause is a minute then.
 */
const KINDS: readonly FaultKind[] = [
  ...(["error_before", "error_after", "unavailable", "reset_before", "reset_after", "truncated", "late"] as const),
  ...(["retry_after_429", "retry_after_403", "used_up", "last_allowed", "slow", "slow_before"] as const),
  ...(["unauthorized", "dropped"] as const),
];

export interface ExportStorySize {
  /** Decides everything that is left to chance. */
  readonly seed: number;
  /** Exports, each of an estimation of its own. */
  readonly rounds: number;
  /** Groups of a round's estimation, each with as many tasks below it. */
  readonly groups: number;
  /** Part of the requests that go wrong, 0 to 1. */
  readonly faulty: number;
  /** What happens in a round, in a random order. */
  readonly kills: number;
  readonly crashes: number;
  /** A worker stands still until another one has taken over its job, and goes on beside it. */
  readonly pauses: number;
}

/**
 * Exports while requests go wrong, workers are killed and the database crashes, and returns what GitHub and the ledger say
 * in the end.
 */
export async function tellExportStory(
  size: ExportStorySize,
  tell: (line: string) => void = () => {},
): Promise<Finding[]> {
  const stage = await setStage();
  const findings: Finding[] = [];
  try {
    const chance = randoms(size.seed);
    const worker = { current: stage.worker(), next: stage.worker() };
    await worker.current.start();
    for (let round = 0; round < size.rounds; round += 1) {
      tell(`export ${round + 1} of ${size.rounds}, seed ${size.seed}`);
      const estimation = await makeEstimation(stage, `Shop ${round}`, size.groups, size.groups);
      const former = stage.github.repository.issues.length;
      stage.github.faults.draw(size.seed + round, size.faulty, KINDS);
      const { id: exportId } = await start(stage, estimation.id);
      const wanted = [...repeat("kill", size.kills), ...repeat("crash", size.crashes), ...repeat("pause", size.pauses)];
      const disasters = shuffled(wanted, chance);
      for (const disaster of disasters) {
        const from = stage.github.asked.length + 1 + Math.floor(chance() * estimation.taskIds.length);
        await goOnUntil(stage, estimation.id, exportId, (run) => isOver(run) || stage.github.asked.length >= from);
        if (disaster === "crash") await stage.crashDatabase();
        else if (disaster === "pause") {
          // While it waits for an answer: in a transaction it would keep everybody waiting until that is given up.
          const paused = worker.current.process;
          const forget = stage.github.onNextRequest(() => paused.kill("SIGSTOP"));
          await goOnUntil(stage, estimation.id, exportId, (run) => isOver(run) || paused.killed);
          forget();
          const asked = stage.github.asked.length;
          worker.current = worker.next;
          await worker.current.start();
          worker.next = stage.worker();
          const goesOn = (run: Export) => isOver(run) || stage.github.asked.length > asked + 3;
          await goOnUntil(stage, estimation.id, exportId, goesOn);
          paused.kill("SIGCONT");
        } else {
          worker.current.process.kill("SIGKILL");
          await worker.current.gone;
          worker.current = worker.next;
          await worker.current.start();
          worker.next = stage.worker();
        }
      }
      const ended = await goOnUntil(stage, estimation.id, exportId, isOver);
      stage.github.faults.draw(0, 0, []);
      findings.push(...(await judge(stage, { estimation, former, ended })));
    }
    const { github } = stage;
    const hit = github.asked.filter(({ fault }) => fault !== null).length;
    findings.push({ what: "requests that went wrong", measured: hit, least: size.rounds });
    findings.push({ what: "requests that GitHub does not know", measured: github.violations.length, exactly: 0 });
    findings.push({ what: "writes at the same time", measured: github.writesAtOnce(), most: 1 });
    for (const violation of github.violations) tell(violation);
    return findings;
  } catch (error) {
    throw new Error(`${String(error)}\n${await describe(stage)}`, { cause: error });
  } finally {
    await stage.close();
  }
}

interface Estimation {
  readonly id: string;
  readonly taskIds: readonly string[];
  readonly parents: ReadonlyMap<string, string | null>;
}

/** Makes an estimation of groups with options, each of which becomes a task. */
export async function makeEstimation(
  { client }: Stage,
  title: string,
  groups: number,
  options: number,
): Promise<Estimation> {
  const { id } = (await client.createEstimation({ body: { title } })).data.estimation;
  const option = (title: string) => ({ title, hours: 8 });
  const nodes = Array.from({ length: groups }, (_, at) => ({
    title: `Part ${at}`,
    kind: "group" as const,
    options: Array.from({ length: options }, (_, of) => option(`Piece ${at}.${of}`)),
  }));
  await client.replaceTree({ params: { id }, body: { nodes } });
  const { tasks } = (await client.generateTasks({ params: { id } })).data;
  return {
    id,
    taskIds: tasks.map((task) => task.id),
    parents: new Map(tasks.map((task) => [task.id, task.parentTaskId])),
  };
}

/** Exports an estimation while nothing goes wrong; returns the run as it ended. */
export async function exportAll(stage: Stage, { id }: Pick<Estimation, "id">): Promise<Export> {
  const run = await start(stage, id);
  return goOnUntil(stage, id, run.id, isOver);
}

const isOver = ({ status, resumable }: Export): boolean => status !== "queued" && status !== "running" && !resumable;

const start = async ({ client, connectionId, github }: Stage, id: string): Promise<Export> => {
  const body = { target: "github", connectionId, repository: github.name } as const;
  return (await client.exportTasks({ params: { id }, body })).data.export;
};

/** Waits until `holds`, and resumes the run as a person does whenever it has ended before its tasks were done. */
async function goOnUntil(
  { client, github }: Stage,
  id: string,
  exportId: string,
  holds: (run: Export) => boolean,
): Promise<Export> {
  const params = { id, exportId };
  let last: Export | undefined;
  await until(
    "the export goes on",
    async () => {
      // The database may be away.
      last = await client.getExport({ params }).then(
        ({ data }) => data.export,
        () => undefined,
      );
      if (last?.resumable) await client.resumeExport({ params }).catch(() => {});
      return last !== undefined && holds(last);
    },
    () => github.asked.length,
  );
  return last as Export;
}

/** Compares tasks, ledger and GitHub, before and after another export. */
async function judge(
  stage: Stage,
  {
    estimation,
    former,
    ended,
  }: { readonly estimation: Estimation /** Issues of others. */; readonly former: number; readonly ended: Export },
): Promise<Finding[]> {
  const { pool, github } = stage;
  const { rows } = await pool.query<{ task_id: string; state: string; marker: string; ref: string | null }>(
    "select task_id, state, marker, ref from export_ledger where estimation_id = $1",
    [estimation.id],
  );
  const byMarker = github.repository.byMarker();
  const made = () => github.repository.issues.length - former;
  const known = rows.filter(({ state, ref, marker }) => {
    const [issue, ...twins] = byMarker.get(marker) ?? [];
    return state === "created" && issue && twins.length === 0 && ref === `${issue.number}:${issue.id}`;
  });
  const numbers = new Map(rows.map(({ task_id, ref }) => [task_id, Number(ref?.split(":")[0])]));
  const placed = estimation.taskIds.filter((taskId) => {
    const parent = estimation.parents.get(taskId) ?? null;
    const issue = github.repository.issues.find(({ number }) => number === numbers.get(taskId));
    return issue && issue.parent === (parent === null ? null : numbers.get(parent));
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

/** Returns what GitHub was asked last, and the runs and jobs that have not ended, to find the cause. */
async function describe({ github, pool }: Stage): Promise<string> {
  const { rows: runs } = await pool.query(
    "select id, status, phase, faults, problem, lease_job, updated_at from export_runs order by id desc limit 2",
  );
  const { rows: items } = await pool.query(
    `select i.number, i.stage, i.outcome, i.sends, l.state, l.look_ups, l.sent_at, l.look_at, l.settles_at
     from export_items i left join export_ledger l using (task_id) where i.outcome = 'pending'`,
  );
  const { rows: paces } = await pool.query("select * from connection_paces");
  const { rows: jobs } = await pool.query(
    "select task_identifier as task, locked_by, attempts, run_at, last_error from graphile_worker.jobs",
  );
  return [...github.asked.slice(-30), ...runs, ...items, ...paces, ...jobs]
    .map((one) => JSON.stringify(one))
    .join("\n");
}

const repeat = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value);

/** Returns the list in an order that `chance` decides. */
const shuffled = <T>(list: readonly T[], chance: () => number): T[] =>
  list
    .map((item) => [chance(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
