import { statfs } from "node:fs/promises";
import pg from "pg";
import { isDatabaseUnavailable, isDiskFull } from "../failures.ts";

/**
 * A reason why the service cannot start, which its operator can act on. The message is one line, printed unchanged; the
 * command line prints no stack trace for it.
 */
export class StartFailure extends Error {
  override name = "StartFailure";
}

const elsewhere = "choose another DATA_DIR";
const permission = ["permission denied", `let this user do that, or ${elsewhere}`] as const;
/** What messages say where there is no room. */
export const DISK_FULL = "the disk is full";

const room = `make room, or ${elsewhere}`;

/** The file system's message, and what to do about it. */
const reasons: Record<string, readonly [reason: string, advice: string]> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: ["the file system is read-only", elsewhere],
  ENOSPC: [DISK_FULL, room],
  EDQUOT: ["the disk quota is used up", room],
  ENOENT: ["the file system there does not take it", elsewhere],
  ENOTDIR: ["a part of the path is not a folder", elsewhere],
  EEXIST: ["it is not a folder", elsewhere],
  ENAMETOOLONG: ["the path is too long", elsewhere],
};

/**
 * Converts a file-system error into a {@link StartFailure} that names the setting; returns any other error unchanged.
 */
function explainFileError(error: unknown, doing: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = reasons[code];
  if (known === undefined) return error;
  const [reason, advice] = known;
  return new StartFailure(`cannot ${doing}: ${reason} (${code}); ${advice}`, { cause: error });
}

/** Runs `act`, and reports its file-system errors as "cannot `doing`: reason; advice". */
export async function explaining<T>(doing: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw explainFileError(error, doing);
  }
}

/** PostgreSQL may need a new segment of its log to start, which has 16 MiB, and some room besides. */
const LEAST_ROOM_BYTES = 32 * 1024 * 1024;

/**
 * Returns whether the disk of a folder has too little room for PostgreSQL to start. Its own messages do not tell for sure: on a
 * full disk they are cut, or missing.
 */
export async function lacksRoom(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  // Some file systems have no fixed number of files, and say 0.
  return bavail * bsize < LEAST_ROOM_BYTES || (files > 0 && ffree === 0);
}

/**
 * Returns the error that says that the disk of `folder` is full if that is why PostgreSQL there failed; any other error
 * unchanged. What PostgreSQL says need not name the disk, and one that ends for lack of room shows as a lost connection.
 */
export async function explainRoom(error: unknown, folder: string): Promise<unknown> {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const isDatabases = cause instanceof pg.DatabaseError || isDatabaseUnavailable(error);
  if (!isDatabases || !(isDiskFull(error) || (await lacksRoom(folder)))) return error;
  return new StartFailure(`cannot write to ${folder}: ${DISK_FULL}; ${room}`, { cause: error });
}
