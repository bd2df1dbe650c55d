import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { type Client, createClient } from "../../../contract/client/client.ts";
import type { Export } from "../../../contract/endpoints/exports.ts";
import { startService } from "../../../server/app.ts";
import { loadConfig } from "../../../server/config.ts";
import { createPool } from "../../../server/db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../server/db/embedded.ts";
import { until } from "../until.ts";
import { forkWorker, type WorkerProcess } from "../worker-process.ts";
import { type PlayedTracker, SETTLE_SECONDS } from "./trackers.ts";

/** How often held responses continue. */
const RELEASE_MS = 250;

const SETTINGS = {
  EXPORT_SETTLE_SECONDS: String(SETTLE_SECONDS),
  GITHUB_WRITES_PER_MINUTE: "6000",
  JIRA_WRITES_PER_MINUTE: "6000",
  RATE_LIMIT_PER_MINUTE: "1000000",
};

/** A durable PostgreSQL, the API in this process, worker processes, and a tracker, which outlives them. */
export async function setStage(tracker: PlayedTracker) {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-exports-"));
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { connection } = postgres;
  const { fake } = tracker;
  fake.trustedBy(dataDir);
  const log = pino({ level: "silent" });
  const service = await startService({
    config: loadConfig({ DATA_DIR: dataDir, PORT: "0", ...SETTINGS }),
    connection,
    log,
    only: "api",
  });
  const pool = createPool(connection, log, 2);
  const workers: WorkerProcess[] = [];
  const releasing = setInterval(() => fake.release(), RELEASE_MS);

  let token: string | null = null;
  const client: Client = createClient(service.url, () => token);
  const account = { email: "ada@example.com", password: "correct horse battery" };
  token = (await client.registerUser({ body: account })).data.token;
  const connectionId = (await client.createConnection({ body: tracker.connection })).data.connection.id;

  return {
    tracker,
    client,
    /** Reads the stream of an export to its end, from the process of the API; returns its events. */
    async watch(id: string, exportId: string): Promise<Export[]> {
      const url = `${service.url}/api/estimations/${id}/exports/${exportId}/progress`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const events = (await response.text()).split("\n\n").filter((part) => part.startsWith("event: progress\n"));
      return events.map((part) => JSON.parse(part.slice(part.indexOf("data: ") + "data: ".length)) as Export);
    },
    pool,
    connectionId,
    /** A worker that is loaded, and started later. */
    worker(): WorkerProcess {
      const worker = forkWorker({ dataDir, connection, settings: SETTINGS });
      workers.push(worker);
      return worker;
    },
    /** Stops the database at once, as a crash does. */
    crashDatabase(): void {
      process.kill(postgres.pid, "SIGQUIT");
    },
    async restartDatabase(): Promise<void> {
      await until("the database is gone", () => !isAlive(postgres.pid));
      postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
    },
    async close(): Promise<void> {
      clearInterval(releasing);
      for (const worker of workers) worker.process.kill("SIGKILL");
      await Promise.all(workers.map(({ gone }) => gone));
      await fake.close();
      await pool.end();
      await service.stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type Stage = Awaited<ReturnType<typeof setStage>>;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
