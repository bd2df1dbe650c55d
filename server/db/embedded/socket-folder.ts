import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, lstat, mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import type { Account } from "./account.ts";
import { type Location, mayEnter } from "./location.ts";
import { StartFailure } from "./start-failure.ts";

/** Where PostgreSQL listens: a Unix socket in a folder, so that file permissions keep everybody else out. */
export interface Socket {
  readonly folder: string;
  readonly port: number;
}

/** Only part of the socket's file name, because each cluster has its own folder. */
export const socketPort = 5432;

/** Some systems allow 104 bytes for a socket's whole path; PostgreSQL adds 20 of them. */
const longestFolder = 80;

/** Removes the folder of a socket once nothing listens there; keeps one that is still in use. */
export async function leaveSocket(socket: Socket | undefined): Promise<void> {
  if (socket !== undefined) await rmdir(socket.folder).catch(() => {});
}

/** Returns how to connect as `user` to `database`. */
export const connectionTo = ({ folder, port }: Socket, user: string, database: string): pg.PoolConfig => ({
  user,
  database,
  host: folder,
  port,
  ssl: false,
});

/** The same as one string, for libraries that accept nothing else. */
export const asConnectionString = ({ user, host, port, database }: pg.PoolConfig): string =>
  `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;

/**
 * Makes the folder in which PostgreSQL will listen. A cluster has the same one at every start, so that connections find it
 * again after a restart.
 * @throws StartFailure if there is no place for it.
 */
export async function socketFolder(location: Location, runtimeFolder: string | undefined): Promise<string> {
  const { cluster, account, home } = location;
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const shared = `estimation-${uid}-${createHash("sha256").update(cluster).digest("hex").slice(0, 12)}`;
  const faults: string[] = [];
  for (const base of basesOf(location, runtimeFolder)) {
    // Beside the cluster there is no other; a short name leaves room for a long path.
    const name = base === home ? "socket" : shared;
    if (!suits(base, name)) {
      faults.push(`${base}: not suitable for a socket's path, such as too long`);
      continue;
    }
    if (account !== undefined && !(await mayEnter(base, account))) {
      faults.push(`${base}: closed to ${account.name}`);
      continue;
    }
    try {
      return await makeOwn(path.join(base, name), account, uid);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : error;
      faults.push(`${base}: ${code}`);
    }
  }
  throw new StartFailure(
    `no folder takes PostgreSQL's socket (${faults.join(", ")}): choose a shorter DATA_DIR${
      account === undefined ? ", or set TMPDIR to a folder that this user may write to" : ""
    }`,
  );
}

/**
 * Returns where the socket's folder may be, best first: the temporary folder, the user's folder for sockets, beside the
 * cluster. For another account than this process's, only what that account can reach.
 */
function basesOf({ home, account }: Location, runtimeFolder: string | undefined): string[] {
  if (account !== undefined) return ["/tmp", home];
  return [...new Set([tmpdir(), "/tmp", ...(runtimeFolder === undefined ? [] : [runtimeFolder]), home])];
}

/**
 * Returns whether a socket below `base` has a short enough path, and one that needs no quoting in PostgreSQL's
 * settings.
 */
const suits = (base: string, name: string): boolean =>
  Buffer.byteLength(path.join(base, name)) + "-XXXXXX".length <= longestFolder &&
  /^\/[\w./-]*$/.test(base) &&
  existsSync(base);

/** Creates `folder`, or another one beside it if another person has taken the name; only its user may enter it. */
async function makeOwn(folder: string, account: Account | undefined, uid: number): Promise<string> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  const isOwn = await giveTo(folder, account, uid).catch((error) => {
    // The process that held the data directory before may just remove its folder.
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (isOwn === null) return await makeOwn(folder, account, uid);
  if (isOwn) return folder;
  // Expected in a folder that everybody may write to.
  const own = await mkdtemp(`${folder}-`);
  if (await giveTo(own, account, uid)) return own;
  throw new Error(`${own} does not belong to the user ${uid} alone`);
}

/** Returns whether the folder is now a real one, of mode 0700, owned by the user who runs PostgreSQL. */
async function giveTo(folder: string, account: Account | undefined, uid: number): Promise<boolean> {
  const before = await lstat(folder);
  if (before.isDirectory() && before.uid === process.getuid?.()) {
    await chmod(folder, 0o700);
    if (account !== undefined) await chown(folder, account.uid, account.gid);
  }
  const after = await lstat(folder);
  return after.isDirectory() && after.uid === uid && (after.mode & 0o777) === 0o700;
}
