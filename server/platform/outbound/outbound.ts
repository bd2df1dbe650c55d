import type { Logger } from "pino";
import { Agent, type Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import { createAddressRule } from "./addresses.ts";
import { createAuthorities } from "./authorities.ts";
import { createConnector, type Resolve } from "./connector.ts";
import { failureOf, type OutboundAnswer, OutboundFailure } from "./failure.ts";
import { createResolve } from "./resolve.ts";

export interface OutboundRequest {
  /** An http or https address. */
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything together: name resolution, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  /** Bytes of the body to read. Where more come, the connection is closed; the answer still counts. */
  readonly readBytes: number;
  /** Bytes of the body to hand out. */
  readonly keptBytes: number;
  /** Ends the request before its time. */
  readonly signal?: AbortSignal;
}

/** Sends requests to addresses that users gave. */
export interface Outbound {
  /** Sends one request; redirects are answers like any other. Throws `OutboundFailure` where no whole answer came. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Closes every connection; requests under way fail. */
  close(): Promise<void>;
}

export interface OutboundOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Networks exempt from the address check, in CIDR notation. */
  readonly allowedNetworks: readonly string[];
  /** Folder with certificates (`*.pem`) to trust beside the system's. */
  readonly trustedFolder: string;
  /** The hosts file and the system's name servers by default. */
  readonly resolve?: Resolve;
}

/** Least bound of making a connection, which goes on for a while after the request that wanted it gave up waiting. */
const CONNECT_TIMEOUT_MS = 10_000;

export function createOutbound({
  clock,
  log,
  allowedNetworks,
  trustedFolder,
  resolve = createResolve(),
}: OutboundOptions): Outbound {
  let connectTimeoutMs = CONNECT_TIMEOUT_MS;
  const agent = new Agent({
    connect: createConnector({
      mayGoTo: createAddressRule(allowedNetworks),
      resolve,
      authorities: createAuthorities(trustedFolder, log),
      clock,
      timeoutMs: () => connectTimeoutMs,
    }),
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send(request) {
      // A connection is not tied to the request that wanted it: none may be given up before any request that could wait for it.
      connectTimeoutMs = Math.max(connectTimeoutMs, request.timeoutMs);
      return exchange(agent, clock, request);
    },
    close: () => agent.destroy(),
  };
}

/**
 * One request and its answer. The deadline is raced here, because undici's abort signal has no effect during name
 * resolution and the TLS handshake: a request that is still waiting for its connection is answered as timed out and
 * stopped when its turn comes.
 */
function exchange(agent: Agent, clock: Clock, request: OutboundRequest): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(request.url);
    const answer = collect(request);
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    const settle = (end: () => void) => {
      if (settled) return;
      settled = true;
      cancel();
      request.signal?.removeEventListener("abort", abort);
      end();
    };
    const giveUp = (reason: "timeout" | "aborted") => {
      settle(() => reject(new OutboundFailure(reason, { partial: answer.soFar() })));
      controller?.abort(new Error(reason));
    };
    const abort = () => giveUp("aborted");
    const cancel = clock.after(request.timeoutMs, () => giveUp("timeout"));
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
        if (settled) given.abort(new Error("nobody waits any more"));
      },
      onResponseStart(_, status, headers) {
        answer.begin(status, headers);
      },
      onResponseData(given, chunk) {
        if (answer.add(chunk)) return;
        settle(() => resolve(answer.whole()));
        given.abort(new Error("the answer is larger than what is read"));
      },
      onResponseEnd: () => settle(() => resolve(answer.whole())),
      onResponseError: (_, error) => settle(() => reject(failureOf(error, answer.soFar()))),
    };
    if (request.signal?.aborted) return abort();
    request.signal?.addEventListener("abort", abort);
    try {
      const { method, headers, body } = request;
      agent.dispatch({ origin, path: pathname + search, method, headers: { ...headers }, body: body ?? null }, handler);
    } catch (error) {
      settle(() => reject(failureOf(error)));
    }
  });
}

/** Collects an answer within the request's bounds. */
function collect({ readBytes, keptBytes }: OutboundRequest) {
  let status = 0;
  let headers: Record<string, string> = {};
  let read = 0;
  let kept: Buffer[] = [];
  let room = keptBytes;
  const whole = (): OutboundAnswer => ({ status, headers, body: Buffer.concat(kept) });
  return {
    whole,
    soFar: () => (status === 0 ? null : whole()),
    begin(code: number, fields: Record<string, string | string[] | undefined>) {
      // What is below 200 only announces the answer.
      if (code < 200) return;
      status = code;
      headers = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
      );
      kept = [];
    },
    /** Takes a piece of the body; false: there is more of it than is read. */
    add(chunk: Buffer): boolean {
      read += chunk.length;
      if (room > 0) kept.push(Buffer.from(chunk.subarray(0, room)));
      room = Math.max(0, room - chunk.length);
      return read <= readBytes;
    },
  };
}
