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
const QUOTA_USED_UP = "the disk quota is used up";

/** Returns whether the service cannot start for lack of room, which may come back. */
export const isLackOfRoom = (error: unknown): error is StartFailure =>
  error instanceof StartFailure && [DISK_FULL, QUOTA_USED_UP].some((reason) => error.message.includes(reason));

const room = `make room, or ${elsewhere}`;

/** The file system's message, and what to do about it. */
const reasons: Record<string, readonly [reason: string, advice: string]> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: ["the file system is read-only", elsewhere],
  ENOSPC: [DISK_FULL, room],
  EDQUOT: [QUOTA_USED_UP, room],
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
