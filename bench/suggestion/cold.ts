/**
 * `node bench/suggestion/cold.ts`: how long the first suggestion of a new process takes on the real database, with 5,000 and
 * 50,000 finished tasks, beside a later one; and how long others have to wait meanwhile. Exits with 1 if a target is missed.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type pg from "pg";
import { pino } from "pino";
import { createPool, drizzleOver } from "../../server/db/database.ts";
import { migrateDatabase } from "../../server/db/migrate.ts";
import { createEvidenceCache, type EvidenceCache } from "../../server/features/suggestions/evidence-cache.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { benchDatabase, median } from "../database.ts";
import { createRandom } from "./random.ts";

/** The most that the first suggestion of a process may take, as a multiple of a later one. */
const OF_WARM_MOST = 20;
/** The longest that others may have to wait, in milliseconds. */
const WAIT_MOST = 20;
const ROUNDS = 5;
/** Words of a task, as in `speed.ts`. */
const [TITLE_WORDS, DESCRIPTION_WORDS, VOCABULARY] = [8, 90, 20_000];

const random = createRandom(1);
const word = () => `w${Math.floor(VOCABULARY ** random()).toString(36)}x`;
const text = (words: number) => Array.from({ length: words }, word).join(" ");

/** Gives a user finished tasks, 100 in each estimation. */
async function seed(pool: pg.Pool, userId: string, count: number): Promise<void> {
  const now = new Date();
  const insertUser = "insert into users (id, email, name, created_at) values ($1, $1 || '@example.com', '', $2)";
  await pool.query(insertUser, [userId, now]);
  for (let from = 0; from < count; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - from) }, (_, at) => ({
      ...{ id: `tsk_${userId}${String(from + at).padStart(22, "0")}`, number: Math.floor((from + at) / 100) },
      ...{ title: text(TITLE_WORDS), description: text(DESCRIPTION_WORDS), hours: 8, at: from + at },
      actual: Math.round(800 * Math.exp(random() * 2 - 1)) / 100,
    }));
    await pool.query(SEED, [userId, JSON.stringify(rows), now]);
  }
}

const SEED = `
  with given as (select * from json_to_recordset($2::json)
      as (id text, number int, title text, description text, hours float8, actual float8, at int)),
    made as (insert into estimations (id, owner_id, title, description, correlation, status, created_at, updated_at, revision)
      select distinct 'est_' || $1 || number, $1, 'Earlier', '', 0.2, 'draft', $3::timestamptz, $3::timestamptz, 1 from given),
    read as (insert into estimation_readers (estimation_id, user_id, owns)
      select distinct 'est_' || $1 || number, $1, true from given),
    counted as (insert into task_totals (estimation_id, revision, finished, working, working_finished, actual_hours)
      select 'est_' || $1 || number, 1, count(*), 0, 0, 0
      from given group by number)
  insert into tasks (id, estimation_id, title, description, hours, role, position, status, actual_hours, done_at,
      base_title, base_description)
    select id, 'est_' || $1 || number, title, description, hours, null, at, 'open', actual,
      $3::timestamptz - interval '1 year' + at * interval '1 minute', title, description from given`;

const { connection, stop } = await benchDatabase();
const log = pino({ level: "silent" });
const pool = createPool(connection, log);
await migrateDatabase(pool);
const cacheOfNewProcess = () => createEvidenceCache({ pool: drizzleOver(pool), clock: systemClock, log });
const asked = () => ({ optionId: "", title: text(TITLE_WORDS), description: text(20), role: null, hours: 8 });

/** Makes a suggestion for one option as the service does, and returns how many milliseconds that took. */
async function suggestOnce(cache: EvidenceCache, userId: string): Promise<number> {
  const work = asked();
  const start = performance.now();
  await cache.use(userId, "", async ({ evidence }) => {
    for (const _ of evidence.prepare(work)) await new Promise((resolve) => setImmediate(resolve));
    evidence.expect(work).quantile(0.5);
  });
  return performance.now() - start;
}

/** Runs work and returns the longest time that a timer of one millisecond was late meanwhile. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await new Promise((resolve) => setTimeout(resolve, 20));
  delays.reset();
  await work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  delays.disable();
  return delays.max / 1e6;
}

let missed = 0;
const judge = (label: string, value: number, most: number) => {
  if (value > most) missed += 1;
  return `${label} ${value.toFixed(1)} (at most ${most})`;
};
for (const count of [5_000, 50_000]) {
  const userId = `usr${count}`;
  await seed(pool, userId, count);
  await pool.query("analyze");
  const first = cacheOfNewProcess();
  let computing = 0;
  const whileComputing = await longestWait(async () => {
    computing = await suggestOnce(first, userId);
  });
  // The next use waits until the evidence is stored.
  const storing = await longestWait(() => suggestOnce(first, userId));
  const [cold, warm, waits]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const cache = cacheOfNewProcess();
    waits.push(await longestWait(async () => cold.push(await suggestOnce(cache, userId))));
    // What follows is prepared by the first of them.
    for (let time = 0; time < 8; time += 1) await suggestOnce(cache, userId);
    warm.push(
      median([await suggestOnce(cache, userId), await suggestOnce(cache, userId), await suggestOnce(cache, userId)]),
    );
  }
  const times = median(cold) / median(warm);
  console.log(`${count} finished tasks: a later suggestion ${median(warm).toFixed(2)} ms, queries included;`);
  console.log(
    `  ${judge("the first of a process", median(cold), Number.POSITIVE_INFINITY)} ms, ${judge("times", times, OF_WARM_MOST)}`,
  );
  console.log(`  computed from texts ${computing.toFixed(0)} ms`);
  console.log(
    `  longest wait of others, in ms: ${judge("reading", median(waits), WAIT_MOST)}, ${judge("computing", whileComputing, WAIT_MOST)}, ${judge("storing", storing, WAIT_MOST)}`,
  );
}
await pool.end();
await stop();
if (missed > 0) process.exitCode = 1;
