import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { Logger } from "pino";
import { type ApiParts, createApi } from "./api.ts";
import type { Config } from "./config.ts";
import { createPool, drizzleOver, forRequests } from "./db/database.ts";
import { migrateDatabase } from "./db/migrate.ts";
import type { Pages } from "./pages/index.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import type { OutboundOptions } from "./platform/outbound/index.ts";
import type { HashCost } from "./platform/passwords.ts";
import { createHttpClients } from "./services/clients.ts";
import { createServices, type Services } from "./services/index.ts";
import { checkSecrets, readSecrets } from "./services/secrets.ts";
import { startWorker } from "./worker.ts";

/** For the command line: creates an account without the service. */
export { createAccount } from "./features/auth/index.ts";
/** For the command line: backups. */
export { makeBackup, resumeSending, startRestore } from "./services/backups.ts";
/** For the command line: accepts the current secrets. */
export { replaceSecrets } from "./services/secrets.ts";

export interface ServiceOptions {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly log: Logger;
  /** Runs the API without the worker, or the worker without the API; by default both. */
  readonly only?: "api" | "worker" | undefined;
  /** The web application; without it the API is served alone. */
  readonly pages?: Pages | undefined;
  readonly clock?: Clock;
  /** How names of other servers are resolved; by default as the system does. Only tests have another way. */
  readonly resolve?: OutboundOptions["resolve"] | undefined;
  /** The cost of hashing a password; by default that of `platform/passwords.ts`. Only tests lower it. */
  readonly passwordCost?: HashCost | undefined;
  /** Replaces parts of the API before its routes are made. Only tests use it, to plant faults. */
  readonly adjust?: (parts: ApiParts) => ApiParts;
}

/** The running service. `stop` waits for what is under way, then releases everything. */
export interface RunningService {
  readonly url: string;
  readonly services: Services;
  stop(): Promise<void>;
}

/**
 * Connections that may wait to be accepted. Beyond this number the system drops new ones, and their clients wait a
 * second.
 */
const BACKLOG = 4_096;

/**
 * Database connections that jobs may use beside requests. Frequent jobs, such as deliveries, batch their reads and
 * writes, so few are enough; jobs must not take the connections of requests.
 */
const JOB_CONNECTIONS = 6;

/** Brings the database up to date, then starts what `only` asks for. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const {
    config,
    connection,
    log,
    only,
    pages,
    clock = systemClock,
    resolve,
    passwordCost,
    adjust = (parts) => parts,
  } = options;
  const jobPool = createPool(connection, log, only === "worker" ? undefined : JOB_CONNECTIONS);
  const ofRequests = forRequests(connection, config.requestTimeoutSeconds);
  const pool = only === "worker" ? jobPool : createPool(ofRequests, log);
  const closing: (() => Promise<unknown>)[] = [
    () => Promise.all([...new Set([pool, jobPool])].map((one) => one.end())),
  ];
  const stop = async () => {
    for (let close = closing.pop(); close; close = closing.pop()) await close();
  };
  try {
    // Migrations may take longer than requests.
    await migrateDatabase(jobPool);
    const db = drizzleOver(pool);
    const secrets = await readSecrets(config);
    await checkSecrets(db, config, secrets, clock.now());
    const services = createServices({ config, clock, log, pool: db, secrets, passwordCost });
    closing.push(() => services.compute.close());
    const clients = createHttpClients(services, resolve);
    closing.push(() => clients.close());
    if (only !== "api") {
      closing.push(await startWorker({ ...services, pool: drizzleOver(jobPool) }, connection, clients));
    }
    if (only === "worker") return { url: "", services, stop };
    const api = await createApi(services, clients, { pages, adjust });
    closing.push(() => api.close());
    await api.app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    return { url: addressOf(api.app, config), services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the actual listening address: for `PORT=0` the system chooses the port. */
function addressOf(app: FastifyInstance, { host, port, baseUrl }: Config): string {
  if (port !== 0) return baseUrl;
  return app.listeningOrigin.replace(/\/\/[^:/]+/, `//${host}`);
}
