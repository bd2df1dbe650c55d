/**
 * Requests a second of `GET /api/estimations` (API key, 20 of 10,000 rows) in one process, against bare `node:http` and
 * `pg` doing the same two queries in the same run, in turns, with the processor time that each request takes of the process
 * and of PostgreSQL; the same with compressed responses; and the memory of the process before and after 100,000 requests.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import pg from "pg";
import { createClient } from "../../contract/client/client.ts";
import { benchDatabase, median } from "../database.ts";
import { writeLists } from "../estimation-list/fill.ts";
import { processorMs, startPostgresTime } from "../processor-time.ts";

const ROUNDS = 5;
const CODED_ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 16;
const ROWS = 10_000;
const REQUESTS = 100_000;
/** Requests before anything is measured, until both run compiled code. */
const WARM_UP = 20_000;
const LEAST_RATIO = 0.75;
/** Compressing may cost a client that asks for it 3 % of the requests a second. */
const LEAST_CODED_RATIO = 0.97;
const MOST_GROWTH = 1.1;

interface Server {
  readonly process: ChildProcess;
  readonly url: string;
}

async function start(file: string, ...args: string[]): Promise<Server> {
  const process = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ["--expose-gc"] });
  const [{ url }] = (await once(process, "message")) as [{ url: string }];
  return { process, url };
}

interface Load {
  readonly duration?: number;
  readonly amount?: number;
  /** `Accept-Encoding`; none by default. */
  readonly coding?: string;
}

const load = (url: string, key: string, { coding, ...more }: Load) =>
  autocannon({
    url: `${url}/api/estimations`,
    connections: CONNECTIONS,
    headers: { authorization: `Bearer ${key}`, ...(coding ? { "accept-encoding": coding } : {}) },
    ...more,
  });

/** The result of a round of load: requests a second, and milliseconds of processor time for each. */
interface Round {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

async function round(server: Server, key: string, coding?: string): Promise<Round> {
  const pid = server.process.pid ?? 0;
  const [nodeBefore, postgresTime] = [processorMs(pid), startPostgresTime(database.dataDir)];
  const result = await load(server.url, key, { duration: SECONDS, ...(coding ? { coding } : {}) });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} responses were no success`);
  const requests = result.requests.total;
  return {
    perSecond: result.requests.average,
    nodeMs: (processorMs(pid) - nodeBefore) / requests,
    postgresMs: postgresTime() / requests,
  };
}

const perSecond = async (server: Server, key: string, coding?: string): Promise<number> =>
  (await round(server, key, coding)).perSecond;

async function memory({ process }: Server): Promise<{ heapUsed: number; rss: number }> {
  process.send("memory");
  const [usage] = (await once(process, "message")) as [{ heapUsed: number; rss: number }];
  return usage;
}

async function fill(url: string, connection: pg.PoolConfig): Promise<string> {
  let token: string | null = null;
  const client = createClient(url, () => token);
  const { data } = await client.registerUser({
    body: { email: "bench@example.com", password: "correct horse battery" },
  });
  token = data.token;
  const pool = new pg.Pool(connection);
  await pool.query(
    `insert into estimations (id, owner_id, title, description, client_name, tags, correlation, hours_expected, hours_p50, hours_p80, hours_p90, hours_p95, created_at, updated_at)
     select 'est_' || lpad(n::text, 26, '0'), $1, 'Estimation ' || n, 'A description of what is estimated, of usual length.', 'Client ' || n % 50, array['web', 'shop'], 0.2,
       n, n, n * 1.2, n * 1.3, n * 1.4, now() - n * interval '1 minute', now() - n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [data.user.id, ROWS],
  );
  await pool.query(
    "insert into estimation_readers (estimation_id, user_id, owns) select id, owner_id, true from estimations",
  );
  await writeLists(pool);
  await pool.end();
  const key = await client.createApiKey({ body: { name: "bench", scopes: ["estimations:read"] } });
  return key.data.plaintext;
}

const sumOf = ({ nodeMs, postgresMs }: Round): number => nodeMs + postgresMs;

const database = await benchDatabase();
const connection = JSON.stringify(database.connection);
const service = await start("./service.ts", connection, database.dataDir);
const reference = await start("./reference-server.ts", connection);
try {
  const key = await fill(service.url, database.connection);
  for (const server of [service, reference]) await load(server.url, key, { amount: WARM_UP });
  const ours: Round[] = [];
  const theirs: Round[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    ours.push(await round(service, key));
    theirs.push(await round(reference, key));
  }
  const typical = (rounds: readonly Round[], field: keyof Round) => median(rounds.map((one) => one[field]));
  const ratios = ours.map((one, at) => one.perSecond / (theirs[at]?.perSecond ?? 1));
  console.log(
    `GET /api/estimations: ${typical(ours, "perSecond").toFixed(0)} a second; bare node:http + pg: ${typical(theirs, "perSecond").toFixed(0)} a second`,
  );
  console.log(
    `ratio ${median(ratios).toFixed(2)} (at least ${LEAST_RATIO} wanted); rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}`,
  );
  const shown = (rounds: readonly Round[]) =>
    `${typical(rounds, "nodeMs").toFixed(3)} + ${typical(rounds, "postgresMs").toFixed(3)}`;
  const work = ours.map((one, at) => sumOf(theirs[at] ?? one) / sumOf(one));
  console.log(
    `processor time of a request, of the process + of PostgreSQL: ${shown(ours)} ms; bare: ${shown(theirs)} ms; bare / ours ${median(work).toFixed(2)}`,
  );

  if (median(ratios) < LEAST_RATIO) process.exitCode = 1;

  // What browsers and most clients send, and what few clients send.
  for (const coding of ["gzip, deflate, br", "br"]) {
    const compressed: number[] = [];
    for (let round = 0; round < CODED_ROUNDS; round += 1) {
      compressed.push((await perSecond(service, key, coding)) / (await perSecond(service, key)));
    }
    console.log(
      `with "Accept-Encoding: ${coding}": ${median(compressed).toFixed(2)} of the requests without (at least ${LEAST_CODED_RATIO} wanted for gzip); rounds ${compressed.map((ratio) => ratio.toFixed(2)).join(" ")}`,
    );
    if (coding !== "br" && median(compressed) < LEAST_CODED_RATIO) process.exitCode = 1;
  }

  const before = await memory(service);
  await load(service.url, key, { amount: REQUESTS });
  const after = await memory(service);
  const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  console.log(
    `memory over ${REQUESTS} requests: heap ${mebibytes(before.heapUsed)} to ${mebibytes(after.heapUsed)} MiB (ratio ${(after.heapUsed / before.heapUsed).toFixed(2)}), resident ${mebibytes(before.rss)} to ${mebibytes(after.rss)} MiB (ratio ${(after.rss / before.rss).toFixed(2)}; within ${MOST_GROWTH} wanted)`,
  );
  if (after.heapUsed > before.heapUsed * MOST_GROWTH || after.rss > before.rss * MOST_GROWTH) process.exitCode = 1;
} finally {
  service.process.kill();
  reference.process.kill();
  await database.stop();
}
