import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import pg from "pg";
import { createClient } from "../../contract/client/client.ts";
import { writeLists } from "../estimation-list/fill.ts";
import { processorMs, startPostgresTime } from "../processor-time.ts";

/** How long a round takes by default. */
const SECONDS = 3;
const CONNECTIONS = 16;
const ROWS = 10_000;

export interface Server {
  readonly process: ChildProcess;
  readonly url: string;
  /** Of each of its services, where it has several. */
  readonly urls?: readonly string[];
}

/** Runs a program that says its address, in a process of its own. */
export async function start(file: string, ...args: string[]): Promise<Server> {
  const process = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ["--expose-gc"] });
  const [addresses] = (await once(process, "message")) as [Omit<Server, "process">];
  return { process, ...addresses };
}

interface Load {
  readonly duration?: number;
  readonly amount?: number;
  /** `Accept-Encoding`; none by default. */
  readonly coding?: string;
}

export const load = (url: string, key: string, { coding, ...more }: Load) =>
  autocannon({
    url: `${url}/api/estimations`,
    connections: CONNECTIONS,
    headers: { authorization: `Bearer ${key}`, ...(coding ? { "accept-encoding": coding } : {}) },
    ...more,
  });

/** The result of a round of load: requests a second, and milliseconds of processor time for each. */
export interface Round {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

export async function round(
  server: Server,
  key: string,
  {
    dataDir,
    coding,
    seconds = SECONDS,
  }: { readonly dataDir: string; readonly coding?: string | undefined; readonly seconds?: number },
): Promise<Round> {
  const pid = server.process.pid ?? 0;
  const [nodeBefore, postgresTime] = [processorMs(pid), startPostgresTime(dataDir)];
  const result = await load(server.url, key, { duration: seconds, ...(coding ? { coding } : {}) });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} responses were no success`);
  const requests = result.requests.total;
  return {
    perSecond: result.requests.average,
    nodeMs: (processorMs(pid) - nodeBefore) / requests,
    postgresMs: postgresTime() / requests,
  };
}

/** Makes a user with many estimations; returns an API key. */
export async function fill(url: string, connection: pg.PoolConfig): Promise<string> {
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
