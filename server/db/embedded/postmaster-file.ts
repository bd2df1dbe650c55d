import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Endpoint } from "./endpoint.ts";
import { identify } from "./process-identity.ts";

/** What PostgreSQL writes about itself into `postmaster.pid`; some lines come later than others. */
export interface PostmasterFile {
  pid: number;
  endpoint: Endpoint | undefined;
  status: "starting" | "ready" | "stopping";
}

/** Reads the cluster's `postmaster.pid`; undefined if there is none. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFile(cluster), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  // Lines: process id, data directory, start time, port, socket folder, address, shared memory key, status.
  const lines = text.split("\n").map((line) => line.trim());
  const [port, folder, address, status] = [Number(lines[3]), lines[4], lines[5], lines[7]];
  let endpoint: Endpoint | undefined;
  if (port > 0 && folder) endpoint = { kind: "socket", folder, port };
  else if (port > 0 && address) endpoint = { kind: "tcp", port };
  return {
    pid: Number(lines[0]),
    endpoint,
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
