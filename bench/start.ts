import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startEmbeddedPostgres } from "../server/db/embedded.ts";
import { report } from "./result.ts";

/** Medians in milliseconds over the rounds of one run. */
export interface StartBench {
  /** The database alone: the call of `startEmbeddedPostgres`. */
  database: Record<"first" | "later" | "adoption" | "recovery" | "stop", number>;
  /** The whole service, from the start of the process to its greeting, or from SIGTERM to its end. */
  service: Record<"first" | "later" | "adoption" | "recovery" | "stop", number>;
}

/** The longest start in milliseconds. */
const MOST_MS = { first: 5_000, later: 2_000 };

const entry = fileURLToPath(new URL("../main.js", import.meta.url));

/**
 * Measures how long a start takes: the first one on an empty data directory, a later one, one after SIGKILL of the
 * service alone (the database is adopted), and one after SIGKILL of service and database (it recovers).
 */
export async function benchStart(rounds = 5): Promise<StartBench> {
  const database = { first: [], later: [], adoption: [], recovery: [], stop: [] } as Record<string, number[]>;
  const service = structuredClone(database);
  for (let round = 0; round < rounds; round += 1) {
    await inFolder((dataDir) => databaseRound(dataDir, database));
    await inFolder((dataDir) => serviceRound(dataDir, service));
  }
  return { database: medians(database), service: medians(service) };
}

async function databaseRound(dataDir: string, times: Record<string, number[]>): Promise<void> {
  const start = async (name: string) => {
    const begin = performance.now();
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
    times[name]?.push(performance.now() - begin);
    return server;
  };
  const first = await start("first");
  const begin = performance.now();
  await first.stop();
  times.stop?.push(performance.now() - begin);
  const later = await start("later");
  await start("adoption");
  process.kill(later.pid, "SIGKILL");
  await (await start("recovery")).stop();
}

async function serviceRound(dataDir: string, times: Record<string, number[]>): Promise<void> {
  const start = async (name: string) => {
    const begin = performance.now();
    const child = spawn(process.execPath, [entry, "serve"], {
      env: { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let greeted = false;
    for await (const line of createInterface({ input: child.stdout })) {
      greeted = line.includes("Ctrl-C stops it");
      if (greeted) break;
    }
    if (!greeted) throw new Error(`the ${name} start failed`);
    times[name]?.push(performance.now() - begin);
    return child;
  };
  const begin = performance.now();
  await end(await start("first"), "SIGTERM");
  times.stop?.push(performance.now() - begin - (times.first?.at(-1) ?? 0));
  await end(await start("later"), "SIGKILL");
  await end(await start("adoption"), "SIGKILL");
  const lock = await readFile(path.join(dataDir, "postgresql", "postmaster.pid"), "utf8");
  process.kill(Number.parseInt(lock, 10), "SIGKILL");
  await end(await start("recovery"), "SIGTERM");
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "estimation-bench-"));
  // Root's PostgreSQL runs as another user, who must get in.
  await chmod(folder, 0o711);
  await use(path.join(folder, "data")).finally(() => rm(folder, { recursive: true, force: true }));
}

function medians<K extends string>(times: Record<K, number[]>): Record<K, number> {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const entries = Object.entries<number[]>(times).map(([name, values]) => [name, Math.round(median(values))]);
  return Object.fromEntries(entries);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [rounds = 5] = process.argv.slice(2).map(Number);
  const times = await benchStart(rounds);
  console.table(times);
  for (const name of ["first", "later"] as const) {
    const ours = times.service[name];
    const about = { name: `${name} start`, unit: "ms", ours };
    const alone = times.database[name];
    report({ ...about, reference: "its database alone", theirs: alone, ratio: ours / alone, target: null });
    const most = MOST_MS[name];
    report({ ...about, reference: "what is wanted", theirs: most, ratio: ours / most, target: { most: 1 } });
  }
}
