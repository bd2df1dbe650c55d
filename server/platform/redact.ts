/**
 * Patterns of text that must never be written, wherever it occurs. Anybody who has one of these can use it, so even one
 * that is mistyped, expired or another person's is removed.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // API keys, whole or in part; what stands behind the prefix is cut off too where it runs on.
  [/svc_live_[A-Za-z0-9_%.-]*/g, "svc_live_[redacted]"],
  // Webhook secrets (base64).
  [/whsec_[A-Za-z0-9+/=_%-]*/g, "whsec_[redacted]"],
  // Tokens of GitHub.
  [/\b(gh[a-z]_|github_pat_)[A-Za-z0-9_]{4,}/g, "$1[redacted]"],
  // JSON Web Tokens: session tokens and those of identity providers.
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g, "[redacted]"],
  [/\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{16,}/gi, "$1$2[redacted]"],
  // Mailed links, exchange codes and what identity providers hand over in addresses.
  [/([?&#](?:[a-z_]*token|code|state|nonce|key|password|secret|signature)=)[^&#\s"'\\<>)]+/gi, "$1[redacted]"],
  // Pages for clients, and what these pages ask for.
  [/(\/(?:p|api\/links)\/)[\w%-]{20,}/g, "$1[redacted]"],
  // Passwords in addresses of databases and mail servers.
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"\\]*):[^\s/@"\\]+@/gi, "$1:[redacted]@"],
  // Password hashes.
  [/\$argon2[a-z]{1,2}\$[A-Za-z0-9$=,+/_-]+/g, "[redacted]"],
];

/** Removes every credential from a text; a text without any is returned unchanged. */
export function redact(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** What is logged of an error. */
export interface WrittenError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly [name: string]: unknown;
}

/** Fields of system, driver and mail errors that identify an error and quote no data. */
const TELLING = ["code", "syscall", "address", "port", "errno", "severity", "constraint", "table", "column", "schema"];
const CAUSES_MAX = 5;

/**
 * Returns an error as it is logged: its type, message, stack and a few known fields, never all its fields. For a failed
 * query, the statement with its placeholders and the driver's error are written; the outer message is left out, because
 * it quotes the values.
 */
export function describeError(error: unknown, depth = 0): WrittenError | string {
  if (!(error instanceof Error)) return typeof error === "object" ? "an object was thrown" : String(error);
  const cause =
    error.cause === undefined || depth === CAUSES_MAX ? {} : { cause: describeError(error.cause, depth + 1) };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const type = error.constructor.name || error.name;
  if ("query" in error && "params" in error) {
    return { type, message: "a query failed", statement: String(error.query), stack: frames.join("\n"), ...cause };
  }
  const facts = Object.fromEntries(
    TELLING.filter((name) => name in error).map((name) => [name, (error as unknown as Record<string, unknown>)[name]]),
  );
  const several = error instanceof AggregateError && depth < CAUSES_MAX;
  const errors = several ? { errors: error.errors.slice(0, 10).map((one) => describeError(one, depth + 1)) } : {};
  return { type, message: error.message, ...facts, stack: frames.join("\n"), ...errors, ...cause };
}
