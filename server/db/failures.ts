import pg from "pg";

/** Returns the driver's error; Drizzle wraps it as its cause. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error;

/** Returns the SQLSTATE or system code of a query's error. */
export function codeOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Returns the name of the unique index that a write violated; undefined if it failed otherwise. */
export function violatedIndex(error: unknown): string | undefined {
  if (codeOf(error) !== "23505") return undefined;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "constraint" in cause ? String(cause.constraint) : undefined;
}

/**
 * The operating system's errors about connections. The code alone is not enough: a client's broken upload has the same.
 */
const UNREACHABLE = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);
const ON_CONNECTIONS = new Set(["connect", "read", "write", "getaddrinfo"]);

/**
 * Returns whether a connection opened by this process failed: in a system call, during the TLS handshake, or at every
 * address.
 */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if (!(error instanceof Error && "code" in error && UNREACHABLE.has(String(error.code)))) return false;
  return "syscall" in error ? ON_CONNECTIONS.has(String(error.syscall)) : "port" in error;
}

/**
 * Shutting down, crashed, starting up; too many connections; read-only after a fail-over; disk full; disk broken; a lock
 * that was not free in time.
 */
const UNAVAILABLE = new Set(["57P01", "57P02", "57P03", "53300", "53400", "25006", "53100", "58030", "55P03"]);

/** Returns whether a query was given up by this side, whose connection is of no use then. */
export function isQueryTimeout(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof Error && cause.message === "Query read timeout";
}

/** Returns whether the database itself responded with the error, so that the statement changed nothing. */
export const isRefusal = (error: unknown): boolean => causeOf(error) instanceof pg.DatabaseError;

/** Returns whether the database found no room on its disk for a write. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === "53100";

/** Returns whether the database was unreachable or unable to serve: a later try may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  const cause = causeOf(error);
  if (isUnreachable(cause) || isQueryTimeout(cause)) return true;
  if (code !== undefined) return UNAVAILABLE.has(code) || code.startsWith("08");
  return (
    cause instanceof Error &&
    /connection terminated|not queryable|timeout exceeded when trying to connect/i.test(cause.message)
  );
}

/** Returns whether the database rejected the data, and would again: data exceptions and violated constraints. */
export const blamesData = (error: unknown): boolean => /^(22|23)/.test(codeOf(error) ?? "");

const CONFLICTS = new Set(["40001", "40P01"]);
const TRIES = 4;

/** Runs `work` again if the database aborted it because of another transaction (serialisation failure, deadlock). */
export async function retryConflicts<R>(work: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !CONFLICTS.has(codeOf(error) ?? "")) throw error;
    }
  }
}
