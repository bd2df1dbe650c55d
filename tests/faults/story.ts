import { setTimeout as wait } from "node:timers/promises";
import { type Stage, setStage, type WorkerProcess } from "./stage.ts";
import { until } from "./until.ts";
import { type Step, steps } from "./worker.ts";

/** Where a worker dies: at a step of its own, or while a request of it waits for its answer. */
export type Death = Step | "sent";
export const deaths: readonly Death[] = ["sent", ...steps];

export interface StorySize {
  readonly deaths: readonly Death[];
  /** Events committed for each worker that dies, and rounds of one death at every step. */
  readonly perDeath: number;
  readonly deathRounds: number;
  /** Events committed around each crash of the database. */
  readonly perCrash: number;
  readonly crashes: number;
  /** Deliveries that are overdue when a worker starts. */
  readonly overdue: number;
}

/** Something that was promised, and what came of it. */
export interface Finding {
  readonly what: string;
  readonly measured: number;
  /** The most that is allowed, or exactly what must be. */
  readonly most?: number;
  readonly exactly?: number;
}

export const holds = ({ measured, most, exactly }: Finding): boolean =>
  (most === undefined || measured <= most) && (exactly === undefined || measured === exactly);

const OPEN = "select count(*) from webhook_deliveries where status in ('pending', 'retry_scheduled')";
const ENDPOINTS = 4;
const RESUME_MS = 15_000;

/** Everything that can go wrong, one after the other, and what it did to the deliveries. Sees to its own end. */
export async function tellStory(size: StorySize, tell: (line: string) => void = () => {}): Promise<Finding[]> {
  const stage = await setStage(ENDPOINTS);
  try {
    const findings: Finding[] = [];
    let mayRepeat = 0;
    for (let round = 0; round < size.deathRounds; round++) {
      tell(`workers die (${round + 1} of ${size.deathRounds})`);
      mayRepeat += await dieOneByOne(stage, size);
    }
    tell("a worker is paused beyond its lease");
    const paused = await pauseOne(stage, size.perDeath);
    mayRepeat += paused.mayRepeat;
    findings.push({
      what: "ms until the jobs of dead and paused workers are done",
      measured: paused.ms,
      most: RESUME_MS,
    });
    tell("the database crashes");
    mayRepeat += await crashDatabase(stage, size, [paused.survivor, paused.resumed]);
    findings.push({ what: "outcomes changed by a worker that was paused", measured: paused.changed(), exactly: 0 });
    findings.push(...(await judge(stage, mayRepeat)));
    tell("a worker starts with overdue deliveries");
    for (const worker of [paused.survivor, paused.resumed]) await worker.stop();
    findings.push(...(await startOverdue(stage, size.overdue)));
    return findings;
  } catch (error) {
    throw new Error(`${String(error)}\n${await describe(stage)}`, { cause: error });
  } finally {
    await stage.close();
  }
}

/** What is left of deliveries and jobs, for whoever looks for the fault. */
async function describe({ pool }: Stage): Promise<string> {
  const { rows: deliveries } = await pool.query(
    "select status, parked, attempt_count, count(*), min(id) from webhook_deliveries group by 1, 2, 3",
  );
  const { rows: jobs } = await pool.query(
    `select task_identifier as task, locked_by, attempts, run_at > now() as early, left(last_error, 200) as fault, count(*)
     from graphile_worker.jobs group by 1, 2, 3, 4, 5`,
  );
  const { rows: pools } = await pool.query("select id, now() - seen_at as unseen from worker_pools");
  return [...deliveries, ...jobs, ...pools].map((row) => JSON.stringify(row)).join("\n");
}

/** Received, and not written down: what was under way when a worker died. */
async function countUnderWay({ pool, receipts }: Stage): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    "select count(*) from webhook_deliveries where attempt_count = 0 and id = any($1)",
    [[...receipts.byId.keys()]],
  );
  return Number(rows[0]?.count);
}

/** One worker after the other begins with its own deliveries and dies; answers how many were under way then. */
async function dieOneByOne(stage: Stage, { deaths, perDeath }: StorySize): Promise<number> {
  const { receipts } = stage;
  // All load at once, which takes longest.
  const victims = deaths.map((step) => [step, stage.worker(step === "sent" ? undefined : step)] as const);
  for (const [step, victim] of victims) {
    await stage.emit(perDeath);
    let requests = 0;
    if (step === "sent") {
      receipts.onRequest = () => {
        requests += 1;
        if (requests === Math.ceil(perDeath / 4)) victim.process.kill("SIGKILL");
      };
    }
    await victim.start();
    await until(`the worker dies: ${step}`, () => victim.process.signalCode === "SIGKILL", 30_000);
    receipts.onRequest = null;
  }
  return countUnderWay(stage);
}

/** Pauses a worker that waits for answers, while another takes over; then it goes on, and its requests fail. */
async function pauseOne(stage: Stage, count: number) {
  const { receipts } = stage;
  const [resumed, survivor] = [stage.worker(), stage.worker()];
  receipts.hold();
  await stage.emit(count);
  await resumed.start();
  await until("requests wait for their answers", () => receipts.held() > 0);
  resumed.process.kill("SIGSTOP");
  await survivor.start();
  receipts.answer();
  const mayRepeat = await countUnderWay(stage);
  const ms = await until("the jobs of dead and paused workers are done", async () => (await stage.count(OPEN)) === 0);
  const outcomes = await fingerprint(stage);
  resumed.process.kill("SIGCONT");
  receipts.letGo(500);
  // Its own requests have failed by now; it has noticed that it was given up, and goes on under another name.
  await until(
    "the paused worker is back",
    async () => (await stage.count("select count(*) from worker_pools where seen_at > now() - interval '4 s'")) === 2,
  );
  const after = await fingerprint(stage);
  return { ms, mayRepeat, survivor, resumed, changed: () => (after === outcomes ? 0 : 1) };
}

async function fingerprint(stage: Stage): Promise<string> {
  const { rows } = await stage.pool.query<{ print: string }>(
    `select md5(string_agg(d::text || a::text, '' order by d.id, a.number)) as print
     from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id`,
  );
  return rows[0]?.print ?? "";
}

/** Crashes the database while events are committed and delivered; answers how many deliveries were under way then. */
async function crashDatabase(
  stage: Stage,
  { perCrash, crashes }: StorySize,
  workers: readonly WorkerProcess[],
): Promise<number> {
  let mayRepeat = 0;
  for (let crash = 0; crash < crashes; crash++) {
    const known = stage.receipts.byId.size;
    const emitting = stage.emit(perCrash);
    await until("deliveries are under way", () => stage.receipts.byId.size > known + perCrash / 4);
    await stage.crashDatabase();
    mayRepeat += await countUnderWay(stage);
    await emitting;
    // The next crash comes when this one is over, or at once: every other time.
    if (crash % 2 === 0) await until("all is delivered", async () => (await stage.count(OPEN)) === 0, 90_000);
    else await wait(500);
  }
  await until("all is delivered", async () => (await stage.count(OPEN)) === 0, 90_000);
  for (const { process } of workers) if (process.exitCode !== null) throw new Error("a worker ended by itself");
  return mayRepeat;
}

/** Compares what was committed, what was received and what was written down. */
async function judge(stage: Stage, mayRepeat: number): Promise<Finding[]> {
  const { receipts, committed, pool } = stage;
  const numberOf = (body: string): number => JSON.parse(body).taskCount;
  const received = new Set([...receipts.byId.values()].map(({ body }) => numberOf(body)));
  const { rows } = await pool.query<{ id: string }>("select id from webhook_deliveries");
  const known = new Set(rows.map(({ id }) => id));
  await until(
    "the queue is empty",
    async () =>
      (await stage.count("select count(*) from graphile_worker.jobs where task_identifier = 'deliver-webhook'")) === 0,
  );
  return [
    { what: "events committed", measured: committed.size },
    { what: "events lost", measured: [...committed].filter((number) => !received.has(number)).length, exactly: 0 },
    {
      what: "deliveries written down as delivered that were not received",
      measured: rows.filter(({ id }) => !receipts.byId.has(id)).length,
      exactly: 0,
    },
    {
      what: "ids received that nobody made",
      measured: [...receipts.byId.keys()].filter((id) => !known.has(id)).length,
      exactly: 0,
    },
    {
      what: "deliveries whose body or address changed from one try to the next",
      measured: receipts.changed(),
      exactly: 0,
    },
    { what: "requests sent again, of those under way at a fault", measured: receipts.repeated(), most: mayRepeat },
    {
      what: "deliveries that did not end as delivered",
      measured: await stage.count("select count(*) from webhook_deliveries where status <> 'delivered'"),
      exactly: 0,
    },
    {
      what: "deliveries whose attempts are not those that were counted",
      measured: await stage.count(
        `select count(*) from webhook_deliveries d where attempt_count <>
          (select count(*) from webhook_attempts a where a.delivery_id = d.id and a.number <= d.attempt_count)
          or exists (select from webhook_attempts a where a.delivery_id = d.id and a.number > d.attempt_count)`,
      ),
      exactly: 0,
    },
    {
      what: "deliveries that went on after an attempt that was answered",
      measured: await stage.count(
        `select count(*) from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
         where a.error is null and (d.status <> 'delivered' or a.number <> d.attempt_count)`,
      ),
      exactly: 0,
    },
  ];
}

/** Starts a worker when much is overdue, at an endpoint that takes its time, and looks at how it comes. */
async function startOverdue(stage: Stage, overdue: number): Promise<Finding[]> {
  const { receipts } = stage;
  await stage.fillOverdue(overdue);
  const repeated = receipts.repeated();
  receipts.takePeaks();
  receipts.answer(20);
  const worker = stage.worker();
  await worker.start();
  const ms = await until("all is delivered", async () => (await stage.count(OPEN)) === 0, 300_000);
  const peaks = receipts.takePeaks();
  return [
    { what: `${overdue} overdue: most requests at once to one endpoint`, measured: peaks.endpoint, most: 32 },
    { what: `${overdue} overdue: most requests at once`, measured: peaks.all, most: 32 * ENDPOINTS },
    { what: `${overdue} overdue: most requests within a second`, measured: peaks.second },
    { what: `${overdue} overdue: seconds until all are delivered`, measured: Math.round(ms / 1_000) },
    { what: `${overdue} overdue: requests sent again`, measured: receipts.repeated() - repeated, exactly: 0 },
  ];
}
