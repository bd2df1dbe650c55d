/**
 * Processor time of processes, read from Linux's `/proc`: unlike requests a second, it hardly depends on what else the machine
 * does meanwhile.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds that a process has run, over all its threads; 0 if it has ended, or this is not Linux. */
export function processorMs(pid: number): number {
  let sum = 0;
  for (const thread of list(`/proc/${pid}/task`)) {
    const [nanoseconds = "0"] = read(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
    sum += Number(nanoseconds) / 1e6;
  }
  return sum;
}

/** Milliseconds that the main thread of a process was ready to run and waited for a processor. */
export const waitedMs = (pid: number): number => Number(read(`/proc/${pid}/schedstat`).split(" ")[1] ?? 0) / 1e6;

/** Returns what measures the milliseconds that the PostgreSQL of a data directory has run since. */
export function startPostgresTime(dataDir: string): () => number {
  const server = read(join(dataDir, "postgresql", "postmaster.pid")).split("\n", 1)[0];
  const times = () =>
    new Map(
      list("/proc")
        .filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1] === server)
        .map((pid) => [pid, processorMs(Number(pid))]),
    );
  const before = times();
  // A connection that was closed meanwhile no longer counts, nor what it did before.
  return () => [...times()].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
