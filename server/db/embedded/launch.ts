import { type ChildProcess, spawn } from "node:child_process";
import { rename, stat } from "node:fs/promises";
import { openFor } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { Location } from "./location.ts";
import { poll } from "./poll.ts";
import { readPostmasterFile } from "./postmaster.ts";
import { complaint, environment, explainSpawnError, ids } from "./run.ts";
import type { Socket } from "./socket-folder.ts";
import { explaining } from "./start-failure.ts";

/** How a launch ended: ready, or failed, with PostgreSQL's own message. */
export type Launch = { ready: true; pid: number; socket: Socket } | { ready: false; told: string };

/** Recovery after a crash can take long; PostgreSQL is waited for while it makes progress. */
const readyTimeoutMs = 10 * 60_000;

/** A log larger than this is moved away at a start, replacing the one moved before. */
const logLimitBytes = 5_000_000;

/**
 * Starts PostgreSQL on the cluster and waits until it responds or has ended. It runs in its own session, so that
 * neither Ctrl-C in the terminal nor any end of this process affects it.
 */
export async function launch(location: Location, { postgres }: Binaries): Promise<Launch> {
  const { cluster, logFile, account } = location;
  await putAsideLongLog(logFile);
  const log = await explaining(`write ${logFile}`, () => openFor(account, logFile, "a+"));
  try {
    const { size } = await log.stat();
    const told = async (pid?: number) => {
      const { buffer, bytesRead } = await log.read({ position: size, buffer: Buffer.alloc(64_000) });
      return complaintOf(pid, buffer.toString("utf8", 0, bytesRead));
    };
    const child = spawn(postgres, ["-D", cluster], {
      cwd: "/",
      env: environment,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      ...ids(account),
    });
    await new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(explainSpawnError(error, postgres, account)));
    });
    child.unref();
    return await whenReady(location, child, told);
  } finally {
    await log.close();
  }
}

async function whenReady(
  { cluster }: Location,
  child: ChildProcess,
  told: (pid?: number) => Promise<string>,
): Promise<Launch> {
  const found = await poll<Launch>(
    async () => {
      const file = await readPostmasterFile(cluster);
      if (file?.status === "ready" && file.socket !== undefined && file.pid === child.pid) {
        return { ready: true, pid: file.pid, socket: file.socket };
      }
      const ended = child.exitCode !== null || child.signalCode !== null;
      return ended ? { ready: false, told: await told(child.pid) } : undefined;
    },
    { timeoutMs: readyTimeoutMs },
  );
  return found ?? { ready: false, told: `not ready after ${readyTimeoutMs / 60_000} minutes` };
}

/**
 * Returns why the PostgreSQL launched as process `pid` failed to start. The log is shared: another one that starts at
 * the same time writes there too. So messages of this process come first, then those of any process.
 */
export function complaintOf(pid: number | undefined, log: string): string {
  // Connections made meanwhile are refused with "the database system is starting up", which explains nothing.
  const lines = log.split("\n").filter((line) => !/FATAL: +the database system is /.test(line));
  const own = lines.filter((line) => line.includes(` [${pid}] `));
  const ownFault = own.some((line) => /(FATAL|PANIC): /.test(line));
  return complaint((ownFault ? own : lines).join("\n"));
}

async function putAsideLongLog(logFile: string): Promise<void> {
  const { size } = await stat(logFile).catch(() => ({ size: 0 }));
  if (size > logLimitBytes) await rename(logFile, `${logFile}.1`);
}
