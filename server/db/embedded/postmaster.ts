import { readFileSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { run } from "./run.ts";
import type { Socket } from "./socket-folder.ts";

/** What PostgreSQL writes about itself into `postmaster.pid`; some lines come later than others. */
export interface PostmasterFile {
  pid: number;
  /** Undefined until it listens, and where it listens on no socket. */
  socket: Socket | undefined;
  status: "starting" | "ready" | "stopping";
}

/** Reads the cluster's `postmaster.pid`; undefined if there is none. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFile(cluster), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  // Lines: process id, data directory, start time, port, socket folder, address, shared memory key, status.
  const lines = text.split("\n").map((line) => line.trim());
  const [port, folder, status] = [Number(lines[3]), lines[4], lines[7]];
  return {
    pid: Number(lines[0]),
    socket: port > 0 && folder ? { folder, port } : undefined,
    status: status === "ready" || status === "stopping" ? status : "starting",
  };
}

/** Returns the path of the file in a cluster. */
export function postmasterFile(cluster: string): string {
  return path.join(cluster, "postmaster.pid");
}

/**
 * Removes a lock file of PostgreSQL (`postmaster.pid`, or the one beside a socket) that names a process which is not
 * PostgreSQL on this cluster. PostgreSQL trusts any process id in use, and would refuse to start. Returns whether one
 * was removed.
 */
export async function removeStaleLock(file: string, cluster: string): Promise<boolean> {
  const before = await readFile(file, "utf8").catch(() => undefined);
  if (before === undefined) return false;
  if ((await identify(Number.parseInt(before, 10), cluster)) === "postgres") return false;
  // Another start may have replaced it meanwhile.
  if ((await readFile(file, "utf8").catch(() => undefined)) !== before) return false;
  await rm(file, { force: true });
  return true;
}

/** What runs under a process id: PostgreSQL on the given folder, something else, or nothing any more. */
export type Identity = "postgres" | "other" | "gone";

/**
 * Returns whether a process with this id exists, including a dead one that its parent has not waited for (a zombie).
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Returns whether process `pid` is PostgreSQL on `cluster`. Process ids are reused, so a file that contains one proves
 * nothing by itself.
 */
export async function identify(pid: number, cluster: string): Promise<Identity> {
  if (!isAlive(pid)) return "gone";
  if (process.platform === "linux") return identifyThroughProc(pid, cluster);
  const { output } = await run("/bin/ps", ["-o", "stat=", "-o", "command=", "-p", String(pid)]);
  const [state = "", ...command] = output.trim().split(/\s+/);
  if (state === "" || state.startsWith("Z")) return "gone";
  return path.basename(command[0] ?? "") === "postgres" && output.includes(cluster) ? "postgres" : "other";
}

function identifyThroughProc(pid: number, cluster: string): Identity {
  try {
    // The state follows the program's name, which is in parentheses and may contain anything.
    const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0];
    if (state === "Z" || state === "X") return "gone";
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (path.basename(command[0] ?? "") !== "postgres") return "other";
    return command.includes(cluster) || isWorkingFolder(pid, cluster) ? "postgres" : "other";
  } catch {
    return isAlive(pid) ? "other" : "gone";
  }
}

/** PostgreSQL's working directory is its data directory, so it is found even after the folder was renamed. */
function isWorkingFolder(pid: number, folder: string): boolean {
  try {
    const [working, wanted] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return working.dev === wanted.dev && working.ino === wanted.ino;
  } catch {
    return false;
  }
}
