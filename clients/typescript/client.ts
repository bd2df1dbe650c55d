import { chunksOf, eventsOf, fileNameOf } from "../../contract/client/client-bodies.ts";
import { ForeignResponse, NotModified, read } from "../../contract/client/client-responses.ts";
import { urlOf } from "../../contract/client/client-url.ts";
import { ApiError, ConnectionError, type ErrorBody } from "./errors.ts";
import { pagesOf, type ReadPage, rowsOf } from "./pages.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.gen.ts";
import type { Client } from "./types.ts";

/** What a call is sent with instead of the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Address of the service, without `/api`. */
  readonly baseUrl: string;
  /** An API key or the token of a session, or a function that returns it for each call; null: none. */
  readonly credential?: string | null | undefined | (() => string | null | Promise<string | null>);
  /** What to send with instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How often reads, and writes with an `Idempotency-Key`, are sent again. */
  readonly retries?: RetryOptions | undefined;
  /** Aborts all calls. */
  readonly signal?: AbortSignal | undefined;
}

interface AnyRequest {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Returns a client of the service: a function for each endpoint, by its id.
 *
 * Calls throw `ApiError` for an error response of the service, `ForeignResponse` for a response that is not the service's,
 * `ConnectionError` without a whole response, `NotModified` for a 304, and the reason of a signal that was aborted.
 *
 * @throws {TypeError} if `baseUrl` is no URL, or ends with `/api`.
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = new URL(options.baseUrl).href.replace(/\/$/, "");
  if (baseUrl.endsWith("/api")) throw new TypeError(`baseUrl is the address of the service, without /api: ${baseUrl}`);
  const calls = Object.entries<Route>(routes).map(([id, route]) => {
    const call = (request: AnyRequest = {}) => send(route, request, { ...options, baseUrl });
    return [id, route.rows === undefined ? call : Object.assign(call, listing(call as ReadPage, route.rows))];
  });
  return Object.fromEntries(calls) as Client;
}

const listing = (read: ReadPage, name: string) => ({
  all: (request?: object) => rowsOf(read, name, request),
  pages: (request?: object) => pagesOf(read, request),
});

/** Sends a request, again where that does no harm, and returns the response. */
async function send(route: Route, request: AnyRequest, options: ClientOptions): Promise<unknown> {
  const { method, path, takesKey } = route;
  const { credential = null, fetch: post = fetch, retries = {} } = options;
  const signals = [options.signal, request.signal].filter((one) => one !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  const url = options.baseUrl + urlOf(path, request);
  const token = typeof credential === "function" ? await credential() : credential;
  const headers = new Headers(request.headers);
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  if (request.body !== undefined) headers.set("content-type", "application/json");
  // The same for all attempts.
  if (takesKey && !headers.has("idempotency-key")) headers.set("idempotency-key", newKey());
  // A redirect would take the body to another service.
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (request.body !== undefined) init.body = JSON.stringify(request.body);
  if (signal) init.signal = signal;
  const attempt = async () => {
    signal?.throwIfAborted();
    try {
      return await resultOf(await post(url, init), route, signal);
    } catch (error) {
      if ([ApiError, ForeignResponse, NotModified].some((kind) => error instanceof kind)) throw error;
      throw lost(error, signal);
    }
  };
  return method === "GET" || takesKey ? withRetries(attempt, retries, signal) : attempt();
}

/** Reads a response, but for a stream or a file, whose reader decides how much of it is read. */
async function resultOf(response: Response, { returns }: Route, signal: AbortSignal | undefined): Promise<unknown> {
  const { status, headers } = response;
  if (status === 304) throw new NotModified(headers);
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw new ForeignResponse(status, headers);
  }
  if (!response.ok) throw new ApiError(status, headers, (await read(response, "message")) as unknown as ErrorBody);
  if (returns === "stream") return { status, headers, stream: whole(eventsOf(response), signal) };
  if (returns === "file") {
    const blob = () => response.blob().catch((cause: unknown) => Promise.reject(lost(cause, signal)));
    return { status, headers, fileName: fileNameOf(headers), blob, chunks: whole(chunksOf(response), signal) };
  }
  return { status, headers, data: (await read(response, "data")).data };
}

/** Returns what is thrown where a response did not arrive whole; throws the signal's reason if it was aborted. */
function lost(cause: unknown, signal: AbortSignal | undefined): ConnectionError {
  signal?.throwIfAborted();
  return new ConnectionError(cause);
}

/** Returns the parts of a response as they arrive; throws if they end before the response does. */
async function* whole<T>(parts: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void, undefined> {
  try {
    yield* parts;
  } catch (cause) {
    throw lost(cause, signal);
  }
}

/** Returns 128 random bits; `crypto.randomUUID` is only there on pages with TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
