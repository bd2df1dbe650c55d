import { once } from "node:events";
import { createServer, isIP } from "node:net";
import { join } from "node:path";
import type { Logger } from "pino";
import { type Config, isLoopback, isLoopbackName, likelyMisspelled } from "../config.ts";
import { everyPart, findHolder, type Part } from "../db/data-directory-lock.ts";
import { findEmbeddedPostgres } from "../db/embedded.ts";
import { readInstanceState } from "../db/instance-state.ts";
import type { Pages } from "../pages/index.ts";
import { sleep } from "../platform/clock.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { type StopRequest, watchForStop } from "./stop-request.ts";

/** What every command receives. */
export interface CommandContext {
  config: Config;
  log: Logger;
  /** Prints a line for the person at the terminal. */
  say: (line: string) => void;
}

/** How long requests and jobs under way may take to end, in milliseconds. */
const drainTimeoutMs = 10_000;

/** How long a proxy may keep idle connections open, in milliseconds: longer than those of `deploy/` do. */
const PROXY_IDLE_MS = 3_000;

/**
 * Runs the service until it is asked to stop, and then ends what is under way, the service, and the database, in
 * this order. Returns the exit code: 0 if everything ended in time. A second request to stop ends the process at once.
 */
export async function serve(
  { config, log, say }: CommandContext,
  { only, withPages }: { readonly only: Part | undefined; readonly withPages: boolean },
): Promise<number> {
  for (const line of likelyMisspelled()) log.warn(line);
  if (only !== "worker") for (const warning of startupWarnings(config)) log.warn(warning);
  let database: OpenDatabase | undefined;
  const stop = watchForStop(() => {
    say("Stopping at once");
    void Promise.resolve(database?.abandon()).finally(() => process.exit(1));
  });
  const lost = Promise.withResolvers<Error>();
  try {
    // At the same time, because loading the service takes about as long as creating a database.
    const app = import("../app.ts");
    app.catch(() => {});
    const preparing = withPages ? pagesOr(log, say) : undefined;
    const parts = only ? [only] : everyPart;
    // Before a database is created or migrated for a service that could not be reached.
    if (only !== "worker") {
      await tryAddress(config).catch(async (error) => {
        // The address is most likely taken by this service, started before.
        const before = config.databaseUrl === null ? await findEmbeddedPostgres(config.dataDir) : undefined;
        throw (before && (await findHolder(before, config.dataDir, parts))) ?? error;
      });
    }
    const opening = openDatabase(config, { parts, say, onLost: lost.resolve, whenStopped: stop.whenRequested });
    database = await unlessStopped(opening, stop);
    if (database === undefined) return 1;
    const { startService } = await app;
    const pages = await preparing;
    if (stop.requested) return 0;
    const { connection } = database;
    const proxyIdleMs = config.trustProxy.length > 0 ? PROXY_IDLE_MS : 0;
    const service = await unlessStopped(startService({ config, connection, only, pages, log, proxyIdleMs }), stop);
    if (service === undefined) return 1;
    let lostReason: Error | undefined;
    if (!stop.requested) {
      if (service.url !== "") await database.publish(service.url);
      const { heldSince } = await readInstanceState(service.services.pool);
      greet(say, { config, url: service.url, where: database.where, only, pages, heldSince });
      const ended = await Promise.race([stop.whenRequested, lost.promise]);
      lostReason = ended instanceof Error ? ended : undefined;
      say(lostReason === undefined ? "Stopping" : `Stopping: ${lostReason.message}`);
    }
    const drained = await Promise.race([service.stop().then(() => true), sleep(drainTimeoutMs).then(() => false)]);
    if (!drained) log.warn(`gave up after ${drainTimeoutMs / 1000} s on ${service.underWay()}`);
    // From now on, errors are caused by the loss of the database.
    log.level = "silent";
    return drained && lostReason === undefined ? 0 : 1;
  } catch (error) {
    // Ctrl-C also ends the programs that create a new database; then their failure is not an error.
    if (stop.requested) return 0;
    throw database === undefined ? error : await database.explain(error);
  } finally {
    await database?.close();
    stop.dispose();
  }
}

/**
 * Listens on an address for a moment, to find out early whether that is possible.
 * @throws the operating system's error, such as EADDRINUSE.
 */
async function tryAddress({ host, port }: Config): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

/** Waits for `work` and returns its result. After a request to stop it waits `drainTimeoutMs` at most, and returns undefined. */
async function unlessStopped<T>(work: Promise<T>, stop: StopRequest): Promise<T | undefined> {
  const givenUp = stop.whenRequested.then(() => sleep(drainTimeoutMs)).then(() => undefined);
  return await Promise.race([work, givenUp]);
}

interface Running {
  readonly config: Config;
  readonly url: string;
  /** Where the data are. */
  readonly where: string;
  readonly only: Part | undefined;
  readonly pages: Pages | undefined;
  /** When the database was restored, if nothing is sent since then. */
  readonly heldSince: Date | null;
}

/** Returns the web application; undefined where it cannot be built, so that the API runs all the same. */
async function pagesOr(log: Logger, say: (line: string) => void): Promise<Pages | undefined> {
  try {
    const { preparePages } = await import("../pages/index.ts");
    return await preparePages(() => say("Building the web application, about 10 s (only once)"));
  } catch (error) {
    log.error({ err: error }, "the web application cannot be built; the API runs without it");
    return undefined;
  }
}

function greet(say: (line: string) => void, { config, url, where, only, pages, heldSince }: Running): void {
  const rows =
    only === "worker"
      ? [["Worker", "running"]]
      : [...(pages === undefined ? [] : [["Web", url]]), ["API", `${url}/api`], ["Docs", `${url}/docs`]];
  say("");
  say(only === undefined ? "  Estimation service is ready" : `  Estimation service is ready (${only} only)`);
  // The worker sends mails.
  const mails =
    only === "api" || config.smtpUrl ? [] : [["Mail", `${join(config.dataDir, "mail")} (no SMTP_URL is set)`]];
  const metrics = metricsAddress(config, url);
  if (metrics) rows.push(["Metrics", metrics]);
  const held = heldSince === null ? [] : [["Held", heldLine(heldSince)]];
  for (const [name, value] of [...rows, ["Data", where], ...mails, ...held]) say(`    ${name?.padEnd(6)} ${value}`);
  say("  Ctrl-C stops it");
  say("");
}

/** Returns where this process shows its metrics; undefined: nowhere. */
function metricsAddress({ host, metricsPort, metricsToken }: Config, url: string): string | undefined {
  if (metricsPort !== null) return `http://${isIP(host) === 6 ? `[${host}]` : host}:${metricsPort}/metrics`;
  return metricsToken !== null && url !== "" ? `${url}/metrics` : undefined;
}

const heldLine = (since: Date): string =>
  `restored ${since.toISOString()}; no webhook, mail or export is sent until: npx node main.js resume`;

/** Returns a line for the log for each combination of settings that is allowed, but was probably not intended. */
export function startupWarnings({
  host,
  baseUrl,
  trustProxy,
  webhookAllowedNetworks,
  metricsPort,
  metricsToken,
}: Pick<
  Config,
  "host" | "baseUrl" | "trustProxy" | "webhookAllowedNetworks" | "metricsPort" | "metricsToken"
>): string[] {
  const open = metricsPort !== null && metricsToken === null && !isLoopback(host);
  return [
    ...doubtsOfProxy({ host, baseUrl, trustProxy, webhookAllowedNetworks }),
    ...(open
      ? [`whoever reaches port ${metricsPort} can read the metrics: set METRICS_TOKEN, unless only Prometheus does`]
      : []),
  ];
}

function doubtsOfProxy({
  host,
  baseUrl,
  trustProxy,
  webhookAllowedNetworks,
}: Pick<Config, "host" | "baseUrl" | "trustProxy" | "webhookAllowedNetworks">): string[] {
  const base = URL.parse(baseUrl);
  const proxied = base?.protocol === "https:" && !isLoopbackName(base.hostname) && isLoopback(host);
  if (!proxied) return [];
  const doubts: string[] = [];
  if (trustProxy.length === 0)
    doubts.push(
      "BASE_URL is public and HOST is not, so a proxy forwards the requests, but TRUST_PROXY does not name it: all clients count as one address, whose limits any of them can use up for all",
    );
  if (webhookAllowedNetworks.includes("127.0.0.0/8"))
    doubts.push(
      "BASE_URL is public, and webhooks may reach this machine's own services: set WEBHOOK_ALLOWED_NETWORKS, which may be empty, unless that is meant",
    );
  return doubts;
}
