import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { Logger } from "pino";
import { type Contract, contract, endpointGroups } from "../contract/index.ts";
import type { Config } from "./config.ts";
import { migrateData } from "./db/data-migration.ts";
import { createPool, drizzleOver, migrateDatabase } from "./db/database.ts";
import { estimationParts } from "./estimation-parts.ts";
import { activityRoutes, recordCall } from "./features/activity/index.ts";
import { apiKeyJobs, apiKeyRoutes, countUsableKeys, createKeyVerifier } from "./features/api-keys/index.ts";
import { auditLogJobs, auditLogRoutes } from "./features/audit-log/index.ts";
import {
  accountMails,
  authJobs,
  authRoutes,
  createSessionVerifier,
  createSignIns,
  normalizeEmails,
} from "./features/auth/index.ts";
import { connectionRoutes } from "./features/connections/index.ts";
import {
  estimationJobs,
  estimationLookUp,
  fellowReadersOf,
  type ReadableEstimation,
} from "./features/estimations/index.ts";
import {
  askWith,
  createGithub,
  createJira,
  exportJobs,
  exportRoutes,
  type Trackers,
} from "./features/exports/index.ts";
import { googleSignInJobs, googleSignInRoutes } from "./features/google-sign-in/index.ts";
import { mailSettings, mountUnsubscribe, notificationRoutes } from "./features/notifications/index.ts";
import { endReviewOfOwner, reviewMails } from "./features/reviews/index.ts";
import { acceptAtSignIn, findByShare, shareMails, shareRoutes } from "./features/shares/index.ts";
import { type AskModel, createAskModel } from "./features/suggestions/index.ts";
import { countWaiting, countWebhooks, webhookJobs, webhookMails, webhookRoutes } from "./features/webhooks/index.ts";
import { heavyHandlers } from "./heavy-rows.ts";
import { createStillAllowed } from "./http/actor.ts";
import { mountDocs } from "./http/docs.ts";
import type { Handlers } from "./http/handler.ts";
import { forgetAnswers } from "./http/idempotency.ts";
import { createKnownCredentials } from "./http/known-credentials.ts";
import { type Mounting, mount } from "./http/mount.ts";
import { mountProbes } from "./http/probes.ts";
import { createKeptAnswers } from "./http/rate-counter.ts";
import { createServer } from "./http/server.ts";
import { steps } from "./http/steps/index.ts";
import { validation } from "./http/validation.ts";
import { sendMails } from "./jobs/mail.ts";
import { removePeriodically, untilFewer } from "./jobs/removals.ts";
import { createWorker } from "./jobs/worker.ts";
import { mountPages, type Pages } from "./pages/index.ts";
import { type Clock, every, systemClock } from "./platform/clock.ts";
import { relayTo } from "./platform/log.ts";
import { createMailer } from "./platform/mailer.ts";
import { createOutbound, type Outbound, type OutboundOptions } from "./platform/outbound/index.ts";
import type { HashCost } from "./platform/passwords.ts";
import { createThreads, type Threads } from "./platform/threads.ts";
import { checkSecrets, readSecrets } from "./secrets.ts";
import { createServices, type Services } from "./services.ts";
import type { ThreadData } from "./thread-data.ts";

/** For the command line: creates an account without the service. */
export { createAccount } from "./features/auth/index.ts";
/** For the command line: accepts the current secrets. */
export { replaceSecrets } from "./secrets.ts";

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
  /** Replaces parts of the API before its routes are made. Only tests use it, to check answers and to plant faults. */
  readonly adjust?: (parts: ApiParts) => ApiParts;
}

/** What the routes of the API are made of, beside the contract. */
export interface ApiParts {
  readonly handlers: Handlers<Contract, ReadableEstimation>;
  readonly mounting: Mounting<ReadableEstimation>;
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

/** Brings the schema and the stored data up to date. */
export async function migrate(pool: pg.Pool, log: Logger): Promise<void> {
  await migrateDatabase(pool);
  await migrateData(drizzleOver(pool), [normalizeEmails(log)]);
}

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
  const pool = createPool(connection, log);
  const closing: (() => Promise<unknown>)[] = [() => pool.end()];
  const stop = async () => {
    for (let close = closing.pop(); close; close = closing.pop()) await close();
  };
  try {
    await migrate(pool, log);
    const db = drizzleOver(pool);
    const secrets = await readSecrets(config);
    await checkSecrets(db, config, secrets, clock.now());
    const services = createServices({ config, clock, log, pool: db, secrets, passwordCost });
    const outside = reachOutside(services, resolve);
    closing.push(() => outside.close());
    if (only !== "api") {
      const jobPool = only === "worker" ? pool : createPool(connection, log, JOB_CONNECTIONS);
      if (jobPool !== pool) closing.push(() => jobPool.end());
      closing.push(await startWorker({ ...services, pool: drizzleOver(jobPool) }, connection, outside));
    }
    if (only === "worker") return { url: "", services, stop };
    const data = { config, connection, secrets, logLevel: log.level };
    const threads = startThreads(data, log);
    closing.push(() => threads.close());
    const scheduleThreads = startThreads(data, log, FOR_SCHEDULES);
    closing.push(() => scheduleThreads.close());
    const api = await createApi(services, { threads, scheduleThreads }, outside, { pages, adjust });
    closing.push(() => api.close());
    await api.app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    return { url: addressOf(api.app, config), services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Clients for outgoing requests. */
interface Outside {
  /** To addresses that users give. */
  readonly outbound: Outbound;
  readonly trackers: Trackers;
  /** Null: no language model is configured. */
  readonly askModel: AskModel | null;
  close(): Promise<unknown>;
}

const EVERY_NETWORK = ["0.0.0.0/0", "::/0"];

function reachOutside({ config, clock, log }: Services, resolve: OutboundOptions["resolve"]): Outside {
  const trustedFolder = join(config.dataDir, "trusted-ca");
  const common = { clock, log, trustedFolder, ...(resolve ? { resolve } : {}) };
  const outbound = createOutbound({
    ...common,
    allowedNetworks: config.webhookAllowedNetworks,
    allowedPorts: config.webhookAllowedPorts,
  });
  // The operator names the language model's address, and may run it on this machine or in a network of their own.
  const toModel = createOutbound({ ...common, allowedNetworks: EVERY_NETWORK, allowedPorts: [] });
  const askModel = config.languageModel && createAskModel({ ...config.languageModel, outbound: toModel });
  const { githubApiUrl, githubWritesPerMinute, jiraWritesPerMinute } = config;
  const trackers = {
    github: createGithub({ outbound, clock, githubApiUrl, githubWritesPerMinute }),
    jira: createJira({ outbound, clock, jiraWritesPerMinute }),
  };
  const close = () => Promise.all([outbound.close(), toModel.close()]);
  return { outbound, trackers, askModel, close };
}

async function createApi(
  services: Services,
  threads: Pick<ApiParts["mounting"], "threads" | "scheduleThreads">,
  { trackers, askModel }: Outside,
  { pages, adjust }: Pick<ServiceOptions, "pages"> & { readonly adjust: (parts: ApiParts) => ApiParts },
) {
  const { app, rateLimit, answerUnknownWith } = createServer(services);
  const keys = createKeyVerifier(services);
  const verifiers = { session: createSessionVerifier(services), key: keys.read };
  const mounting: Mounting<ReadableEstimation> = {
    services,
    verifiers,
    rateLimit,
    knownCredentials: createKnownCredentials(services.clock),
    validation,
    keptAnswers: createKeptAnswers(services.clock),
    estimations: estimationLookUp,
    recordCall,
    countWaiting,
    isStillAllowed: createStillAllowed(verifiers),
    ...threads,
    estimationOf: { shareId: findByShare(services.config) },
  };
  // Further work in the transaction of every sign-in.
  const signIns = createSignIns(services, [acceptAtSignIn(services)]);
  const handlers = {
    ...authRoutes(services, signIns, fellowReadersOf),
    ...googleSignInRoutes(services, signIns),
    ...apiKeyRoutes(services),
    ...auditLogRoutes(),
    ...notificationRoutes(services),
    ...heavyHandlers(services, askModel),
    ...activityRoutes(),
    ...shareRoutes(services, endReviewOfOwner),
    ...connectionRoutes(services, askWith(trackers)),
    ...exportRoutes(services, trackers),
    ...webhookRoutes(services),
  };
  const parts = adjust({ handlers, mounting });
  mount(app, contract, parts.handlers, parts.mounting, steps);
  mountProbes(app, services);
  mountUnsubscribe(app, services, rateLimit);
  mountDocs(app, endpointGroups, { baseUrl: services.config.baseUrl, rateLimit, atRoot: pages === undefined });
  if (pages) answerUnknownWith(mountPages(app, pages, { config: services.config, rateLimit }));
  const close = async () => {
    // A connection that was busy when the server closed would otherwise be kept open for its next request.
    const stopSweeping = every(systemClock, 50, async () => app.server.closeIdleConnections());
    await app.close().finally(stopSweeping);
    await keys.stop();
  };
  return { app, close };
}

/** Threads for requests on large trees: as many as processors, less one for everything else. */
const FOR_TREES = { threadsMax: Math.max(1, Math.min(4, availableParallelism() - 1)), waitingMax: 64 };
/** One thread for forecasts, so that equal ones share one computation. If too many wait, 503. */
const FOR_SCHEDULES = { threadsMax: 1, waitingMax: 32 };
/** Requests on trees at the limits pass with a tenth of this. */
const THREAD_HEAP_MB = 1_024;
/** After the deadline of its request, in milliseconds, a thread that still works on it is ended. */
const THREAD_GRACE_MS = 5_000;

function startThreads(data: ThreadData, log: Logger, most = FOR_TREES): Threads {
  return createThreads({
    file: new URL("./thread.ts", import.meta.url),
    data,
    ...most,
    // With more threads, PostgreSQL would only work for several large requests on the same processor.
    atOnce: 1,
    heapMb: THREAD_HEAP_MB,
    timeoutMs: data.config.requestTimeoutSeconds * 1_000 + THREAD_GRACE_MS,
    clock: systemClock,
    onLine: relayTo(log),
  });
}

const FORGET_ANSWERS_SECONDS = 3_600;

/** Starts the background worker and returns how to stop it. */
async function startWorker(
  services: Services,
  connection: pg.PoolConfig,
  { outbound, trackers }: Outside,
): Promise<() => Promise<void>> {
  const { config, clock, pool, log } = services;
  const mailer = createMailer(config, clock, (file) =>
    log.info({ file }, "a mail was written; there is no mail server"),
  );
  const otherAccessOf = async (userId: string) => ({
    apiKeys: await countUsableKeys(pool, userId, clock.now()),
    webhooks: await countWebhooks(pool, userId),
  });
  const mails = [
    ...accountMails(services, otherAccessOf),
    ...webhookMails(services),
    ...shareMails(services),
    ...reviewMails(services),
  ];
  const jobs = [
    sendMails(services, mailer, mails, mailSettings(services)),
    ...googleSignInJobs(services),
    ...authJobs(services),
    ...auditLogJobs(services),
    ...estimationJobs(services, estimationParts),
    ...apiKeyJobs(services),
    ...webhookJobs(services, outbound),
    ...exportJobs(services, trackers),
    removePeriodically("forget-answers", FORGET_ANSWERS_SECONDS, () => [
      untilFewer((rows) => forgetAnswers(pool, clock.now(), rows)),
    ]),
  ];
  const worker = createWorker({ services, jobs, connection });
  await worker.start();
  return async () => {
    await worker.stop();
    mailer.close();
  };
}

/** Returns the actual listening address: for `PORT=0` the system chooses the port. */
function addressOf(app: FastifyInstance, { host, port, baseUrl }: Config): string {
  if (port !== 0) return baseUrl;
  return app.listeningOrigin.replace(/\/\/[^:/]+/, `//${host}`);
}
