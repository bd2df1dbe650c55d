import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import { createClient } from "../../contract/client/client.ts";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";
import { createPool } from "../../server/db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../server/db/embedded.ts";
import { enqueueAll } from "../../server/features/webhooks/enqueue.ts";
import { emit } from "../../server/features/webhooks/index.ts";
import { keepReceipts, type Receipts } from "./receipts.ts";
import { until } from "./until.ts";
import type { Step, WorkerOrder } from "./worker.ts";
import { forkWorker, type WorkerProcess } from "./worker-process.ts";

/** Endpoints of the receiver, each of a user of its own. */
export const ENDPOINTS = 4;
/** Counts deliveries that have not ended. */
export const OPEN = "select count(*) from webhook_deliveries where status in ('pending', 'retry_scheduled')";

const EVENT = "estimation.tasks_generated";
const dataOf = (taskCount: number) => ({ estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount });
const silent = pino({ level: "silent" });
/** Transactions at the same time. */
const EMITTERS = 8;

/** A durable PostgreSQL, the API in this process, a receiver with a few endpoints, and as many worker processes as wanted. */
export interface Stage {
  readonly pool: pg.Pool;
  readonly receipts: Receipts;
  /** Numbers of the events whose commit was confirmed. */
  readonly committed: ReadonlySet<number>;
  worker(dieWhen?: Step): WorkerProcess;
  /** Commits so many events, each in its own transaction, which is repeated if the database was unavailable. */
  emit(count: number): Promise<void>;
  /** Commits deliveries that were due an hour ago. */
  fillOverdue(count: number): Promise<void>;
  /** Stops the database at once, as a crash does. */
  stopDatabase(): Promise<void>;
  startDatabase(): Promise<void>;
  /** Returns the number that a query returns. */
  count(statement: string): Promise<number>;
  close(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-faults-"));
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { connection } = postgres;
  const receipts = await keepReceipts();
  receipts.trustedBy(dataDir);
  const config = loadConfig({ DATA_DIR: dataDir, PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000" });
  const service = await startService({ config, connection, log: silent, only: "api" });
  const { services } = service;
  const pool = createPool(connection, silent, 4);
  const committed = new Set<number>();
  const workers: WorkerProcess[] = [];
  let numbers = 0;

  const owners: { userId: string; webhookId: string }[] = [];
  for (let at = 0; at < ENDPOINTS; at++) {
    let token: string | null = null;
    const client = createClient(service.url, () => token);
    const { data } = await client.registerUser({
      body: { email: `owner-${at}@example.com`, password: "correct horse battery" },
    });
    token = data.token;
    const webhook = await client.createWebhook({ body: { url: `${receipts.url}/${at}`, events: [EVENT] } });
    owners.push({ userId: data.user.id, webhookId: webhook.data.webhook.id });
  }

  const emitOne = async (number: number): Promise<void> => {
    const { userId = "" } = owners[number % owners.length] ?? {};
    const emission = {
      event: EVENT,
      data: dataOf(number),
      userIds: [userId],
      senderId: userId,
      now: services.clock.now(),
    } as const;
    await until("an event is committed", () =>
      services.pool
        .transaction((tx) => emit(tx, services, emission))
        .then(
          () => true,
          () => false,
        ),
    );
    committed.add(number);
  };

  return {
    pool,
    receipts,
    committed,
    worker(dieWhen) {
      const order: WorkerOrder = { dataDir, connection, ...(dieWhen ? { dieWhen } : {}) };
      const worker = forkWorker(order);
      workers.push(worker);
      return worker;
    },
    async emit(count) {
      const last = numbers + count;
      const loop = async () => {
        while (numbers < last) await emitOne(numbers++);
      };
      await Promise.all(Array.from({ length: EMITTERS }, loop));
    },
    async fillOverdue(count) {
      const at = new Date(services.clock.now().getTime() - 3_600_000);
      await services.pool.transaction(async (tx) => {
        for (let made = 0; made < count; made += 500) {
          const dispatches = Array.from({ length: Math.min(500, count - made) }, (_, index) => ({
            occurrence: { event: EVENT, data: dataOf(made), at } as const,
            senderId: "",
            receivers: [
              {
                id: owners[index % owners.length]?.webhookId ?? "",
                userId: owners[index % owners.length]?.userId ?? "",
                bodyFormat: "data" as const,
              },
            ],
          }));
          await enqueueAll(tx, services.ids, dispatches);
        }
      });
      await pool.query("update webhook_deliveries set due_at = now() - interval '1 hour' where due_at is not null");
    },
    async stopDatabase() {
      process.kill(postgres.pid, "SIGQUIT");
      await until("the database is gone", () => !isAlive(postgres.pid));
    },
    async startDatabase() {
      postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
    },
    async count(statement) {
      const { rows } = await pool.query<{ count: string }>(statement);
      return Number(rows[0]?.count);
    },
    async close() {
      for (const worker of workers) worker.process.kill("SIGKILL");
      await Promise.all(workers.map(({ gone }) => gone));
      await receipts.close();
      await pool.end();
      await service.stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
