import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { createClient } from "../../contract/client/client.ts";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";
import { createPool } from "../../server/db/database.ts";
import { createLog } from "../../server/platform/log.ts";
import type { Services } from "../../server/services/index.ts";
import { benchDatabase } from "../database.ts";

export const EVENT = "estimation.tasks_generated" as const;
export const dataOf = (taskCount: number) => ({ estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount });

/** Webhooks, and who owns them. */
export interface Endpoints {
  readonly userId: string;
  readonly webhookIds: readonly string[];
  readonly client: ReturnType<typeof createClient>;
}

/** A receiver, a bare sender and a database, each in a process of its own, and the service's API in this one. */
export interface Stage {
  readonly dataDir: string;
  readonly services: Services;
  readonly pool: pg.Pool;
  readonly url: string;
  readonly receiver: ChildProcess;
  readonly bare: ChildProcess;
  startWorker(...flags: string[]): Promise<ChildProcess>;
  readonly workers: readonly ChildProcess[];
  /** A user of their own with as many webhooks, which lie under `/` and their number. */
  createEndpoints(count: number, path?: string): Promise<Endpoints>;
  close(): Promise<void>;
}

const quickImports = new URL("../../server/platform/quick-imports.ts", import.meta.url).href;

const start = (file: string, args: readonly string[], execArgv: readonly string[] = []): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ["--import", quickImports, ...execArgv] });

/** Sends a message to a process of the stage and returns what it says. */
export async function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const response = once(child, "message");
  child.send(message);
  return (await response)[0] as T;
}

/** Ends a process of the stage in order. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

export async function setStage(receiverFile = "./receiver.ts"): Promise<Stage> {
  const database = await benchDatabase();
  const receiver = start(receiverFile, []);
  const [{ url, certificate }] = (await once(receiver, "message")) as [{ url: string; certificate: string }];
  const trusted = join(database.dataDir, "trusted-ca");
  mkdirSync(trusted, { recursive: true });
  writeFileSync(join(trusted, "receiver.pem"), certificate);
  const bare = start("./bare-sender.ts", [url, certificate, JSON.stringify(dataOf(30))]);
  await once(bare, "message");
  const service = await startService({
    config: loadConfig({ DATA_DIR: database.dataDir, PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000000" }),
    connection: database.connection,
    log: createLog("warn"),
    only: "api",
  });
  const pool = createPool(database.connection, createLog("silent"), 4);
  const workers: ChildProcess[] = [];
  return {
    dataDir: database.dataDir,
    services: service.services,
    pool,
    url,
    receiver,
    bare,
    async startWorker(...flags) {
      const worker = start("./worker.ts", [database.dataDir, JSON.stringify(database.connection)], flags);
      workers.push(worker);
      await once(worker, "message");
      return worker;
    },
    workers,
    async createEndpoints(count, path = "") {
      let token: string | null = null;
      const client = createClient(service.url, () => token);
      const email = `${crypto.randomUUID()}@example.com`;
      const { data } = await client.registerUser({ body: { email, password: "correct horse battery" } });
      token = data.token;
      const webhookIds: string[] = [];
      for (let at = 0; at < count; at++) {
        const body = { url: `${url}${path}/${at}`, events: [EVENT] };
        webhookIds.push((await client.createWebhook({ body })).data.webhook.id);
      }
      return { userId: data.user.id, webhookIds, client };
    },
    async close() {
      for (const worker of workers) await end(worker);
      for (const child of [receiver, bare]) await end(child);
      await pool.end();
      await service.stop();
      await database.stop();
    },
  };
}
