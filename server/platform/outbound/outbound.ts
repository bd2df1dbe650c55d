import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import { type Allowed, createAddressRules } from "./addresses.ts";
import { createAuthorities } from "./authorities.ts";
import { type Connections, createConnections } from "./connections.ts";
import { createConnector, type Resolve } from "./connector.ts";
import { failureOf, OutboundFailure, type OutboundReason, type OutboundResponse } from "./failure.ts";
import { createResolve } from "./resolve.ts";

export interface OutboundRequest {
  /** An http or https address. */
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything together: name resolution, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  /** Bytes of the body to read. If there are more, the connection is closed; the response still counts. */
  readonly readBytes: number;
  /** Bytes of the body to return. */
  readonly returnBytes: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

/** Sends requests to addresses given by users. */
export interface Outbound {
  /** Sends one request; redirects are not followed. Throws `OutboundFailure` if there is no complete response. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** Closes every connection; requests under way fail. */
  close(): Promise<void>;
}

export interface OutboundOptions extends Allowed {
  readonly clock: Clock;
  readonly log: Logger;
  /** Folder with certificates (`*.pem`) to trust beside the system's. */
  readonly trustedFolder: string;
  /** The hosts file and the system's name servers by default. */
  readonly resolve?: Resolve;
  /** How long an idle connection stays open, in milliseconds. */
  readonly idleMs?: number;
}

const IDLE_MS = 4_000;
/** The most idle connections, to all hosts together: as many as a busy worker has requests under way. */
const IDLE_MAX = 400;
/** Bytes of a response besides its body: headers, interim responses before it, chunk framing, trailers. */
const FRAMING_BYTES = 64 * 1024;
/** Interim responses (below 200), which only announce the final one. */
const ANNOUNCEMENTS_MAX = 5;

export function createOutbound(options: OutboundOptions): Outbound {
  const { clock, log, trustedFolder, resolve = createResolve(), idleMs = IDLE_MS } = options;
  const connections = createConnections({
    connect: createConnector({
      ruleFor: createAddressRules(options),
      resolve,
      authorities: createAuthorities(trustedFolder, log),
    }),
    idleMs,
    idleMax: IDLE_MAX,
  });
  return {
    send: (request) => exchange(connections, clock, request),
    close: async () => connections.close(),
  };
}

/**
 * One request and its response. The deadline is enforced here, because undici's abort signal has no effect during name
 * resolution and the TLS handshake. A connection whose response was not read to its end is closed.
 */
function exchange(connections: Connections, clock: Clock, request: OutboundRequest): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    if (request.signal?.aborted) return reject(new OutboundFailure("aborted"));
    const { origin, pathname, search } = new URL(request.url);
    const response = collect(request);
    const connection = connections.take(origin);
    let settled = false;
    const settle = (end: () => void, complete = false) => {
      if (settled) return;
      settled = true;
      cancel();
      request.signal?.removeEventListener("abort", abort);
      connections.giveBack(connection, complete);
      end();
    };
    const fail = (reason: OutboundReason) =>
      settle(() => reject(new OutboundFailure(reason, { partial: response.soFar() })));
    /** More arrives than is read: if the status has arrived, that is a response. */
    const cutOff = () => {
      const soFar = response.soFar();
      if (soFar) settle(() => resolve(soFar));
      else fail("invalid_response");
    };
    const abort = () => fail("aborted");
    const cancel = clock.after(request.timeoutMs, () => fail("timeout"));
    request.signal?.addEventListener("abort", abort);
    connection.expect(request.readBytes + FRAMING_BYTES, cutOff);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_, status, headers) {
        if (!response.begin(status, headers)) fail("invalid_response");
      },
      onResponseData(_, chunk) {
        if (!response.add(chunk)) cutOff();
      },
      onResponseEnd: () => settle(() => resolve(response.whole()), true),
      onResponseError: (_, error) => settle(() => reject(failureOf(error, response.soFar()))),
    };
    try {
      const { method, headers, body = null } = request;
      connection.client.dispatch({ path: pathname + search, method, headers: { ...headers }, body }, handler);
    } catch (error) {
      settle(() => reject(failureOf(error)));
    }
  });
}

/** Collects a response within the request's bounds. */
function collect({ readBytes, returnBytes }: OutboundRequest) {
  let status = 0;
  let headers: Record<string, string> = {};
  let announcements = 0;
  let read = 0;
  const pieces: Buffer[] = [];
  let room = returnBytes;
  const whole = (): OutboundResponse => ({ status, headers, body: Buffer.concat(pieces) });
  return {
    whole,
    soFar: () => (status === 0 ? null : whole()),
    /** Takes status and headers; false: there were too many interim responses. */
    begin(code: number, fields: Record<string, string | string[] | undefined>): boolean {
      if (code < 200) return ++announcements <= ANNOUNCEMENTS_MAX;
      status = code;
      headers = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
      );
      return true;
    },
    /** Takes a piece of the body; false: there is more than is read. */
    add(chunk: Buffer): boolean {
      read += chunk.length;
      if (room > 0) pieces.push(Buffer.from(chunk.subarray(0, room)));
      room = Math.max(0, room - chunk.length);
      return read <= readBytes;
    },
  };
}
