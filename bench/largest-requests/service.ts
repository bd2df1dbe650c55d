/** The service in a process of its own, which says how long the longest turn of its event loop took, and what memory it takes. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";
import { bigTree } from "../big-tree.ts";
import type { benchDatabase } from "../database.ts";

export interface Service {
  readonly url: string;
  /** Begins to measure anew. */
  begin(): void;
  /** What happened since then. */
  measured(): Promise<Measured>;
  stop(): Promise<void>;
}

interface Measured {
  /** Milliseconds of the processor in the longest turn of the event loop. */
  readonly longest: number;
  /** Resident memory in MiB: now, and the most since the measurement began. */
  readonly rss: number;
  readonly peak: number;
  /** Requests that waited for a database connection at the same time, at most. */
  readonly waiting: number;
}

/** Milliseconds of the processor that this thread took so far. */
function ofProcessor(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns how many milliseconds of the processor it takes to parse 1 MiB of JSON. */
export function parsingMs(): number {
  const text = JSON.stringify(bigTree().nodes.slice(0, 140));
  const times = Array.from({ length: 5 }, () => {
    const begin = ofProcessor();
    JSON.parse(text);
    return ((ofProcessor() - begin) * 1024 ** 2) / text.length;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}

/** As `npm start` does. */
const AS_STARTED = ["--max-semi-space-size=8"];

/** Starts the service over a database, with the usual limit of requests or another. */
export async function startInProcess(
  { connection, dataDir }: Awaited<ReturnType<typeof benchDatabase>>,
  perMinute?: number,
): Promise<Service> {
  const env = { ...process.env, ...(perMinute ? { RATE_LIMIT_PER_MINUTE: String(perMinute) } : {}) };
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [JSON.stringify(connection), dataDir], {
    env,
    execArgv: AS_STARTED,
  });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    url,
    begin: () => child.send("begin"),
    async measured() {
      const response = once(child, "message");
      child.send("end");
      return (await response)[0] as Measured;
    },
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

const LOOK_EVERY_MS = 20;

async function serve(connection: string, dataDir: string): Promise<void> {
  const { RATE_LIMIT_PER_MINUTE } = process.env;
  const service = await startService({
    config: loadConfig({ DATA_DIR: dataDir, PORT: "0", ...(RATE_LIMIT_PER_MINUTE && { RATE_LIMIT_PER_MINUTE }) }),
    connection: JSON.parse(connection),
    log: pino({ level: "fatal" }),
    only: "api",
  });
  const rss = () => process.memoryUsage.rss() / 1024 ** 2;
  const { $client } = service.services.pool;
  let watching = false;
  let [longest, last, peak, waiting] = [0, 0, 0, 0];
  const look = () => {
    const now = ofProcessor();
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) setImmediate(look);
  };
  setInterval(() => {
    peak = Math.max(peak, rss());
    if ("waitingCount" in $client) waiting = Math.max(waiting, $client.waitingCount);
  }, LOOK_EVERY_MS);
  process.on("message", (message) => {
    if (message === "begin") {
      watching = true;
      [longest, last, peak, waiting] = [0, ofProcessor(), rss(), 0];
      setImmediate(look);
    } else {
      watching = false;
      process.send?.({ longest, rss: rss(), peak, waiting } satisfies Measured);
    }
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ url: service.url });
}

const [, file, connection = "", dataDir = ""] = process.argv;
if (file === fileURLToPath(import.meta.url)) await serve(connection, dataDir);
