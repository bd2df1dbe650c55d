/**
 * A reason why the service cannot start that its operator can act on. The message is one line, meant to be printed
 * as it stands; the command line prints no stack trace for it.
 */
export class StartFailure extends Error {
  override name = "StartFailure";
}

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of the path is not a folder",
  EEXIST: "it is not a folder",
  ENAMETOOLONG: "the path is too long",
};

/** Turns a file-system error about `path` into a {@link StartFailure}; any other error is returned unchanged. */
export function explainFileError(error: unknown, doing: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasons[code];
  return reason === undefined ? error : new StartFailure(`cannot ${doing}: ${reason} (${code})`, { cause: error });
}

/** Runs `act`, and explains a file-system error of it as "cannot `doing`: reason". */
export async function explaining<T>(doing: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw explainFileError(error, doing);
  }
}
