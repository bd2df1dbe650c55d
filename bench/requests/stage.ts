import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import pg from "pg";
import { createClient } from "../../contract/client/client.ts";
import { writeLists } from "../estimation-list/fill.ts";
import { processorMs, startPostgresTime } from "../processor-time.ts";
import { type Filled, KINDS, type Kind } from "./kinds.ts";

/** How long a round takes by default. */
const SECONDS = 3;
export const CONNECTIONS = 16;
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
  /** The list by default. */
  readonly kind?: Kind;
  /** Instead of a kind: the path of a GET. */
  readonly path?: string;
  /** 16 by default. */
  readonly connections?: number;
  /** The estimations of the first connection come after those of so many others. */
  readonly after?: number;
  /** `Accept-Encoding`; none by default. */
  readonly coding?: string | undefined;
}

/** Requests of one kind on some connections, each as soon as the one before has its response. */
export async function load(
  url: string,
  filled: Filled,
  { coding, kind = "list", path, after = 0, connections = CONNECTIONS, ...more }: Load,
): Promise<autocannon.Result> {
  let clients = after;
  const result = await autocannon({
    url,
    connections,
    headers: { authorization: `Bearer ${filled.key}`, ...(coding ? { "accept-encoding": coding } : {}) },
    setupClient: (client) => client.setRequests(path ? [{ path }] : [...KINDS[kind](clients++, filled)]),
    ...more,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} responses were no success`);
  return result;
}

/** The result of a round of load: requests a second, and milliseconds of processor time for each. */
export interface Round {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/** Loads one server, or several processes of one at the same time, which share the connections: for a time, or with an amount. */
export async function round(
  servers: readonly { readonly url: string; readonly process: { readonly pid?: number | undefined } }[],
  filled: Filled,
  {
    dataDir,
    seconds = SECONDS,
    amount,
    ...more
  }: Pick<Load, "kind" | "path" | "coding" | "amount"> & { readonly dataDir: string; readonly seconds?: number },
): Promise<Round> {
  const nodeMs = () => servers.reduce((sum, { process }) => sum + processorMs(process.pid ?? 0), 0);
  const [nodeBefore, postgresTime] = [nodeMs(), startPostgresTime(dataDir)];
  const connections = Math.ceil(CONNECTIONS / servers.length);
  const results = await Promise.all(
    servers.map(({ url }, at) => {
      const extent = amount === undefined ? { duration: seconds } : { amount: Math.ceil(amount / servers.length) };
      return load(url, filled, { ...more, ...extent, connections, after: at * connections });
    }),
  );
  const requests = results.reduce((sum, result) => sum + result.requests.total, 0);
  if (requests === 0) throw new Error("no response came within the round");
  return {
    perSecond: results.reduce((sum, result) => sum + result.requests.average, 0),
    nodeMs: (nodeMs() - nodeBefore) / requests,
    postgresMs: postgresTime() / requests,
  };
}

/** Makes a user with many estimations, and of usual size so many that each of `connections` has its own to write to. */
export async function fill(url: string, connection: pg.PoolConfig, connections = CONNECTIONS): Promise<Filled> {
  let token: string | null = null;
  const client = createClient(url, () => token);
  const { data } = await client.registerUser({
    body: { email: "bench@example.com", password: "correct horse battery" },
  });
  token = data.token;
  const content = await readFile(new URL("../../examples/checkout.json", import.meta.url), "utf8");
  const trees: Filled["trees"][number][] = [];
  for (let at = 0; at < connections; at += 1) {
    const { id } = (await client.importEstimation({ body: { format: "json", content } })).data.estimation;
    const { nodes } = (await client.getTree({ params: { id } })).data.tree;
    const other = nodes.map((node, place) => (place === 0 ? { ...node, title: `${node.title}, again` } : node));
    trees.push({ id, bodies: [JSON.stringify({ nodes }), JSON.stringify({ nodes: other })] });
  }
  const pool = new pg.Pool(connection);
  await pool.query(
    `insert into estimations (id, owner_id, title, description, client_name, tags, correlation, hours_expected, hours_p50, hours_p80, hours_p90, hours_p95, created_at, updated_at)
     select 'est_' || lpad(n::text, 26, '0'), $1, 'Estimation ' || n, 'A description of what is estimated, of usual length.', 'Client ' || n % 50, array['web', 'shop'], 0.2,
       n, n, n * 1.2, n * 1.3, n * 1.4, now() - n * interval '1 minute', now() - n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [data.user.id, ROWS],
  );
  await pool.query(
    `insert into estimation_readers (estimation_id, user_id, owns) select id, owner_id, true from estimations
     on conflict do nothing`,
  );
  await pool.query("truncate estimation_listings, estimation_texts");
  await writeLists(pool);
  await pool.end();
  const scopes = ["estimations:read", "estimations:write"] as const;
  const key = await client.createApiKey({ body: { name: "bench", scopes: [...scopes] } });
  return { key: key.data.plaintext, trees };
}
