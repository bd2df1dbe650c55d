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
  /** Milliseconds of the processor for parsing 1 MiB of JSON. */
  readonly reference: number;
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

/** Starts the service over a database, with the usual limit of requests or another. */
export async function startInProcess(
  { connection, dataDir }: Awaited<ReturnType<typeof benchDatabase>>,
  perMinute?: number,
): Promise<Service> {
  const env = { ...process.env, ...(perMinute ? { RATE_LIMIT_PER_MINUTE: String(perMinute) } : {}) };
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [JSON.stringify(connection), dataDir], { env });
  const [{ url, reference }] = (await once(child, "message")) as [{ url: string; reference: number }];
  return {
    url,
    reference,
    begin: () => child.send("begin"),
    async measured() {
      const answer = once(child, "message");
      child.send("end");
      return (await answer)[0] as Measured;
    },
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

const LOOK_EVERY_MS = 20;

async function serve(connection: string, dataDir: string): Promise<void> {
  const ofProcessor = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const text = JSON.stringify(bigTree().nodes.slice(0, 140)).slice(0, 1024 ** 2 * 2);
  const reference = Array.from({ length: 5 }, () => {
    const begin = ofProcessor();
    for (let bytes = 0; bytes < 1024 ** 2; bytes += text.length) JSON.parse(text);
    return ofProcessor() - begin;
  }).sort((a, b) => a - b)[2];
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
  process.send?.({ url: service.url, reference });
}

const [, file, connection = "", dataDir = ""] = process.argv;
if (file === fileURLToPath(import.meta.url)) await serve(connection, dataDir);
