import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { Logger } from "pino";
import { type ApiParts, createApi, createHandlers } from "./api.ts";
import { type Config, isMeasured } from "./config.ts";
import { createPool, drizzleOver, forRequests } from "./db/database.ts";
import { createListener, deaf } from "./db/listen-store.ts";
import { migrateDatabase } from "./db/migrate.ts";
import { connectionName } from "./db/secret-marks.ts";
import { appointAdministrator, createAccount } from "./features/auth/index.ts";
import { createHub } from "./features/live/hub.ts";
import { serveMetrics } from "./http/metrics.ts";
import { createScrape } from "./metrics.ts";
import type { Pages } from "./pages/index.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import type { OutboundOptions } from "./platform/outbound/index.ts";
import type { HashCost } from "./platform/passwords.ts";
import { createHttpClients } from "./services/clients.ts";
import { createServices, type Services } from "./services/index.ts";
import { readInstanceKeys } from "./services/instance-keys-store.ts";
import { createSealing } from "./services/sealing.ts";
import { checkSecrets, readSecrets } from "./services/secrets.ts";
import { startWorker } from "./worker.ts";

/** For the command line: backups. */
export { makeBackup, resumeSending, startRestore } from "./services/backups.ts";
/** For the command line: what is stored about a person. */
export { erasePerson } from "./services/person-erasure.ts";
export { exportPerson } from "./services/person-export-store.ts";
/** For the command line: changes the secrets to new ones. */
export { rotateSecrets } from "./services/rotation.ts";
/** For the command line: accepts the current secrets. */
export { replaceSecrets } from "./services/secrets.ts";
/** For the command line: creates an account, and makes a user an administrator, without the service. */
export { appointAdministrator, createAccount };

export interface ServiceOptions {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly log: Logger;
  /** Runs the API without the worker, or the worker without the API; by default both. */
  readonly only?: "api" | "worker" | undefined;
  /** The web application; without it the API is served alone. */
  readonly pages?: Pages | undefined;
  /** How long a proxy has to close its idle connections when the service stops, in milliseconds; by default they are closed at once. */
  readonly proxyIdleMs?: number;
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
  /** What `stop` waits for at the moment, in words for the operator. */
  underWay(): string;
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
    connection: given,
    log,
    only,
    pages,
    clock = systemClock,
    resolve,
    passwordCost,
    adjust = (parts) => parts,
    proxyIdleMs = 0,
  } = options;
  const secrets = await readSecrets(config);
  // So that `rotate-key` can see which processes have the new secrets, and administrators which are alive.
  const connection = { ...given, application_name: connectionName(secrets, only ?? "all") };
  const jobPool = createPool(connection, log, only === "worker" ? undefined : JOB_CONNECTIONS);
  const ofRequests = forRequests(connection, config.requestTimeoutSeconds);
  // One connection stays open, so that an idle process can be seen.
  const pool = only === "worker" ? jobPool : createPool({ min: 1, ...ofRequests }, log);
  const closing = createClosing();
  const { stop, underWay } = closing;
  closing.add("connections to the database", () => Promise.all([...new Set([pool, jobPool])].map((one) => one.end())));
  try {
    // Migrations may take longer than requests.
    await migrateDatabase(jobPool);
    const db = drizzleOver(pool);
    const services = await prepareServices({ config, clock, log, pool: db, secrets, passwordCost });
    closing.add("computations", () => services.compute.close());
    const scrape = isMeasured(config)
      ? createScrape(services, { jobs: jobPool, requests: only === "worker" ? undefined : pool })
      : undefined;
    if (scrape) closing.add("metrics", async () => scrape.stop());
    const { host, metricsPort, metricsToken: token } = config;
    if (scrape && metricsPort !== null)
      closing.add("requests for metrics", await serveMetrics(scrape, { host, port: metricsPort, token }));
    const clients = createHttpClients(services, resolve);
    closing.add("requests to others", () => clients.close());
    const listener = createListener(connection, log);
    closing.add("the connection that hears of news", () => listener.stop());
    const parts = closing.addGroup();
    if (only !== "api") {
      const ofJobs = { ...services, pool: drizzleOver(jobPool) };
      parts.add("jobs", await startWorker(ofJobs, connection, clients, listener));
    }
    if (only === "worker") return { url: "", services, stop, underWay };
    const api = await createApi(services, clients, { listener, pages, scrape, adjust, proxyIdleMs });
    parts.add("requests", () => api.close());
    await api.app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    return { url: addressOf(api.app, config), services, stop, underWay };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends what was added, the latest first, and what is in a group at the same time: each has the time that a stop may take. */
function createClosing() {
  const waiting = new Set<string>();
  const steps: (() => Promise<unknown>)[] = [];
  const addTo = (group: (() => Promise<unknown>)[]) => (name: string, close: () => Promise<unknown>) => {
    group.push(async () => {
      waiting.add(name);
      await close();
      waiting.delete(name);
    });
  };
  return {
    add: addTo(steps),
    addGroup() {
      const group: (() => Promise<unknown>)[] = [];
      steps.push(() => Promise.all(group.map((close) => close())));
      return { add: addTo(group) };
    },
    async stop() {
      for (let close = steps.pop(); close; close = steps.pop()) await close();
    },
    underWay: () => [...waiting].join(" and "),
  };
}

/** Checks the secrets against the database, and returns what every feature receives. */
async function prepareServices(
  given: Omit<Parameters<typeof createServices>[0], "sealing" | "instanceKeys">,
): Promise<Services> {
  const { config, clock, pool, secrets } = given;
  await checkSecrets(pool, config, secrets, clock.now());
  const sealing = createSealing(secrets.ENCRYPTION_KEY, pool);
  return createServices({ ...given, sealing, instanceKeys: await readInstanceKeys(pool, sealing, clock.now()) });
}

/**
 * For the command line: makes an account with a verified address and the examples, all or nothing. Returns its id and
 * address, or the reason for a refusal, worded for the person at the terminal.
 */
export async function createDemo(
  pool: pg.Pool,
  { config, log }: Pick<ServiceOptions, "config" | "log">,
  account: { readonly email: string; readonly password: string },
): Promise<Awaited<ReturnType<typeof createAccount>>> {
  const secrets = await readSecrets(config);
  const services = await prepareServices({ config, clock: systemClock, log, pool: drizzleOver(pool), secrets });
  const clients = createHttpClients(services, undefined);
  try {
    return await services.pool.transaction(async (tx) => {
      const made = await createAccount(tx, services, { ...account, verified: true });
      if ("refused" in made) return made;
      const actor = {
        userId: made.id,
        credential: "session",
        apiKeyId: null,
        scopes: [],
        tokenVersion: 0,
        session: null,
      } as const;
      const origin = { requestId: "", ip: "", userAgent: null };
      await createHandlers(services, { ...clients, live: createHub(services, deaf) }).createExamples({
        ...{ actor, db: tx, now: services.clock.now(), ...origin },
        ...{ params: {}, query: {}, body: undefined },
      });
      return made;
    });
  } finally {
    await clients.close();
    await services.compute.close();
  }
}

/** Returns the actual listening address: for `PORT=0` the system chooses the port. */
function addressOf(app: FastifyInstance, { host, port, baseUrl }: Config): string {
  if (port !== 0) return baseUrl;
  return app.listeningOrigin.replace(/\/\/[^:/]+/, `//${host}`);
}
