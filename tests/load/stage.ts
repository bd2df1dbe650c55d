import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedPostgres } from "../../server/db/embedded.ts";
import { until } from "../faults/until.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const entry = fileURLToPath(new URL("../../main.js", import.meta.url));

/** The service as several processes on one PostgreSQL, and a receiver of its webhooks. */
export interface Stage {
  /** Addresses of the processes that response requests. */
  readonly urls: readonly string[];
  readonly pool: pg.Pool;
  readonly receiver: Receiver;
  /** Processes that have ended by themselves. */
  ended(): number;
  close(): Promise<void>;
}

/** No rate limits: this tests everything at once, not a single caller. */
export const SETTINGS = {
  LOG_LEVEL: "error",
  RATE_LIMIT_PER_MINUTE: "10000000",
  RATE_LIMIT_AUTH_PER_MINUTE: "10000000",
  INVITATIONS_PER_HOUR: "1000",
  WEBHOOK_DELIVERIES_PER_MINUTE: "10000000",
};

/** Starts so many processes for requests, and so many for background work. */
export async function setStage(apis: number, workers: number): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "estimation-load-"));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: () => {} });
  const { host, port, user, password, database } = postgres.connection;
  const receiver = await startReceiver((_, response) => {
    // The log of the service is judged, not what is stored here.
    receiver.requests.length = 0;
    response.end();
  });
  const shared = {
    ...SETTINGS,
    DATABASE_URL: `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    SESSION_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64url"),
  };
  const processes: { child: ChildProcess; output: string; gone: Promise<unknown> }[] = [];
  const run = (only: "api" | "worker") => {
    const dataDir = join(folder, `${only}-${processes.length}`);
    mkdirSync(dataDir);
    receiver.trustedBy(dataDir);
    const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", PORT: "0", DATA_DIR: dataDir, ...shared };
    const child = spawn(process.execPath, [entry, "serve", "--only", only], { cwd: "/", env });
    const one = { child, output: "", gone: once(child, "close") };
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        one.output += chunk.toString("utf8");
      });
    processes.push(one);
    return one;
  };
  const urlOf = async (one: ReturnType<typeof run>): Promise<string> => {
    const find = () => /API +(\S+)\/api\n/.exec(one.output)?.[1];
    await until("a process serves requests", () => {
      if (one.child.exitCode !== null) throw new Error(`the service did not start:\n${one.output}`);
      return find() !== undefined;
    });
    return find() ?? "";
  };

  // The first one creates the tables.
  const urls = [await urlOf(run("api"))];
  const others = Array.from({ length: apis - 1 }, () => run("api"));
  for (let started = 0; started < workers; started += 1) run("worker");
  for (const other of others) urls.push(await urlOf(other));
  const pool = new pg.Pool({ ...postgres.connection, max: 4 });
  pool.on("error", () => {});
  return {
    urls,
    pool,
    receiver,
    ended: () => processes.filter(({ child }) => child.exitCode !== null || child.signalCode !== null).length,
    async close() {
      for (const { child } of processes) child.kill("SIGTERM");
      await Promise.all(processes.map(({ gone }) => gone));
      await receiver.close();
      await pool.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
