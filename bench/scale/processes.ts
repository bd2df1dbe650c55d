import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { asConnectionString } from "../../server/db/embedded/socket-folder.ts";
import { benchDatabase, median } from "../database.ts";
import { startService } from "../hostile/service.ts";
import { type Kind, NAMES } from "../requests/kinds.ts";
import { CONNECTIONS, fill, type Round, round } from "../requests/stage.ts";
import { report } from "../result.ts";

const COUNTS = [1, 2, 4] as const;
/** Requests of each connection before a round. */
const WARM_UP = 10;
/** Of so many requests to read there is one to write: the disk bounds their rate. */
const WRITES = 5;
/** Processor time may rise or fall by a tenth with the number of processes. */
const MOST = 1.1;

/**
 * Prints the processor time of a request, of the API's processes and of PostgreSQL apart, with one, two and four `--only api`
 * processes on one PostgreSQL, in turns, on the same number of connections in all and with as many requests to each process. How many
 * requests a second all of them serve depends on the processors of the machine; what each takes of them should not.
 */
export async function compareApiProcesses(rounds: number, requests: number): Promise<void> {
  const database = await benchDatabase();
  const shared = {
    DATABASE_URL: asConnectionString(database.connection),
    SESSION_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64url"),
    RATE_LIMIT_PER_MINUTE: "1000000000",
  };
  const services = [];
  try {
    for (let at = 0; at < (COUNTS.at(-1) ?? 1); at += 1) {
      const env = { ...shared, DATA_DIR: join(database.dataDir, `api-${at}`) };
      services.push(await startService(env, {}, "--only", "api"));
    }
    const servers = services.map(({ url, pid }) => ({ url, process: { pid } }));
    const filled = await fill(servers[0]?.url ?? "", database.connection);
    await showTreeSize(database.connection);
    for (const kind of ["list", "get", "write"] as const) {
      const amount = kind === "write" ? requests / WRITES : requests;
      const measured = COUNTS.map(() => [] as Round[]);
      // Each process runs compiled code before anything is measured.
      const { dataDir } = database;
      const play = (some: typeof servers, each: number) =>
        round(some, filled, { dataDir, kind, amount: each * some.length });
      await play(servers, amount);
      for (let at = 0; at < rounds; at += 1) {
        for (const [place, count] of COUNTS.entries()) {
          // Each process is as often among them as any other.
          const some = [...servers.slice(at % servers.length), ...servers].slice(0, count);
          // Connections that were idle were closed, and each new one plans its statements again.
          await play(some, WARM_UP * CONNECTIONS);
          measured[place]?.push(await play(some, amount));
        }
      }
      show(kind, measured);
    }
  } finally {
    for (const service of services) await service.stop();
    await database.stop();
  }
}

/** Prints how many bytes of the database a tree of usual size takes. */
async function showTreeSize(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const size = "select avg(pg_column_size(tree))::int as stored, avg(bytes)::int as bytes from decision_trees";
  const [{ stored, bytes }] = (await client.query(size)).rows;
  console.log(`a tree of ${bytes} bytes is stored in ${stored}`);
  await client.end();
}

function show(kind: Kind, measured: readonly (readonly Round[])[]): void {
  const [single = []] = measured;
  const typical = (all: readonly Round[], field: keyof Round) => median(all.map((one) => one[field]));
  const rates = measured.map((all, place) => `${typical(all, "perSecond").toFixed(0)} with ${COUNTS[place]}`);
  console.log(`${NAMES[kind]}: requests a second ${rates.join(", ")}`);
  for (const [field, of] of [
    ["nodeMs", "the processes"],
    ["postgresMs", "PostgreSQL"],
  ] as const)
    for (const [place, count] of COUNTS.entries()) {
      const all = measured[place] ?? [];
      if (count === 1) continue;
      report({
        name: `${NAMES[kind]}: processor time of ${of}, ${count} API processes`,
        reference: "1 process",
        unit: "ms",
        ours: typical(all, field),
        theirs: typical(single, field),
        ratio: median(all.map((one, at) => one[field] / (single[at]?.[field] ?? 1))),
        target: { most: MOST },
      });
    }
}
