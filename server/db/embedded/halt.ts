import { type Endpoint, leaveEndpoint } from "./endpoint.ts";
import { poll } from "./poll.ts";
import { identify } from "./process-identity.ts";
import { run } from "./run.ts";

/** When stopping, PostgreSQL writes everything from memory to disk, which can take this long on a slow disk. */
const fastTimeoutMs = 30_000;
const immediateTimeoutMs = 5_000;

/** A running PostgreSQL. */
export interface Running {
  pid: number;
  cluster: string;
  endpoint: Endpoint | undefined;
  pgCtl: string;
}

/**
 * `fast` ends connections and writes everything out; `immediate` ends at once and leaves recovery to the next start.
 */
export type HaltMode = "fast" | "immediate";

/**
 * Stops PostgreSQL: ends open connections, rolls back running transactions, writes everything out. If that takes too
 * long, stops it at once, and it recovers at its next start. Resolves when the process is gone.
 */
export async function halt(running: Running): Promise<void> {
  await tell(running, "fast");
  if (!(await waitUntilGone(running, fastTimeoutMs))) {
    await tell(running, "immediate");
    await waitUntilGone(running, immediateTimeoutMs);
  }
  await leaveEndpoint(running.endpoint);
}

/** Tells PostgreSQL to stop, without waiting. Does nothing if it is not running. */
export async function tell({ pid, cluster, pgCtl }: Running, mode: HaltMode): Promise<void> {
  if ((await identify(pid, cluster)) !== "postgres") return;
  if (process.platform === "win32") {
    await run(pgCtl, ["stop", "-W", "-D", cluster, "-m", mode]);
    return;
  }
  try {
    process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
  } catch {
    // It ended between the two lines.
  }
}

/** Returns whether PostgreSQL ended within `timeoutMs`. */
export async function waitUntilGone({ pid, cluster }: Running, timeoutMs: number): Promise<boolean> {
  const gone = async () => ((await identify(pid, cluster)) === "postgres" ? undefined : true);
  return (await poll(gone, { timeoutMs })) ?? false;
}
