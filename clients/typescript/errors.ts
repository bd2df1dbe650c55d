import { keysOfSentences } from "./routes.gen.ts";
import type { ErrorDetails, ErrorKey, Fault } from "./schema.gen.ts";

/** The body of an error response, as the service sends it. */
export interface ErrorBody {
  readonly message: string;
  readonly errors?: readonly Fault[];
  readonly details?: unknown;
  readonly hint?: string;
  readonly docUrl?: string;
  readonly requestId?: string;
}

/** An error response of the service. */
export class ApiError<K extends ErrorKey = ErrorKey> extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly headers: Headers;
  /** What to match on; a newer service may send keys that this version does not know. `message` is text for people. */
  readonly key: K;
  /** What usually helps, as text for people. */
  readonly hint: string | undefined;
  /** URL of the documentation of the error. */
  readonly docUrl: string | undefined;
  /** Under which the service logged it. */
  readonly requestId: string | undefined;
  /** What is wrong with the request, one row for each fault; empty if the error has none. */
  readonly fields: readonly Fault[];
  /** What the error says beyond its key; `is` narrows it. */
  readonly details: ErrorDetails[K];

  constructor(status: number, headers: Headers, body: ErrorBody) {
    const key = keysOfSentences[body.message] ?? body.message;
    const fields = body.errors ?? [];
    const said = fields.map(({ path, message }) => `${path} ${message}`.trim()).join("; ") || body.hint;
    super(said ? `${key}: ${said}` : key);
    this.status = status;
    this.headers = headers;
    this.key = key as K;
    this.hint = body.hint;
    this.docUrl = body.docUrl;
    this.requestId = body.requestId;
    this.fields = fields;
    this.details = body.details as ErrorDetails[K];
  }

  /** Whether it is the error with this key. */
  is<Key extends ErrorKey>(key: Key): this is ApiError<Key> {
    return (this.key as ErrorKey) === key;
  }
}

/**
 * No response, or only a part of one: the connection could not be made, or was lost. `cause` says why. Whether a write was
 * carried out is unknown.
 */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";

  constructor(cause: unknown) {
    super(`no whole response from the service${reasonOf(cause)}`, { cause });
  }
}

/** Returns what an error and its causes say: Node.js says in the cause of "fetch failed" what failed. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? `: ${error.message}${reasonOf(error.cause)}` : "";
