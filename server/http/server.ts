import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import { type ErrorKey, errorRow } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { isDatabaseUnavailable } from "../db/failures.ts";
import { systemClock } from "../platform/clock.ts";
import type { Services } from "../services.ts";
import { createBodyBudget } from "./body/budget.ts";
import type { Pace } from "./body/collect.ts";
import { readBodies } from "./body/read-bodies.ts";
import { createClientAddress } from "./client-address.ts";
import { errorBody } from "./envelope.ts";
import { Failure } from "./failure.ts";
import { listPaths, type Paths } from "./paths.ts";
import { answerOn, refuseSocket } from "./refuse-socket.ts";
import { apiHeaders, securityHeaders } from "./security-headers.ts";
import { continueWhenRead, discard, isUnread, lingerOnUnread } from "./unread.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Address of the client: the connection's, or what a trusted proxy says. */
    readonly clientAddress: string;
  }
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** How long the parts of a conversation may take, in milliseconds. */
export interface ServerTimes {
  /** A request, until its last byte. */
  readonly requestMs: number;
  /** The head of a request, also the first one of a connection. */
  readonly silentMs: number;
  readonly pace: Pace;
}

const TIMES: ServerTimes = {
  requestMs: 120_000,
  silentMs: 60_000,
  pace: { graceMs: limits.bodyGraceSeconds * 1_000, bytesPerSecond: limits.bodyBytesPerSecondMin },
};

/** A Fastify server that answers every error, those of the HTTP parser included, in the service's envelope. */
export function createServer(
  { config, log }: Pick<Services, "config" | "log">,
  given: Partial<ServerTimes> = {},
): FastifyInstance {
  const times = { ...TIMES, ...given };
  const always = Object.entries(securityHeaders(config.baseUrl));
  const secured = (reply: FastifyReply) => {
    for (const [name, value] of always) reply.header(name, value);
    reply.header("x-request-id", reply.request.id);
    if (reply.request.url.startsWith("/api/")) reply.header("cache-control", apiHeaders["cache-control"]);
  };
  const app = fastify({
    // Below a warning the framework only says that it listens, which the greeting does.
    loggerInstance: log.child({}, { level: log.isLevelEnabled("warn") ? "warn" : log.level }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: times.requestMs,
    // Requests that arrive while the server drains are answered like any other.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // Without it the parser answers by itself, outside the envelope: `refuseUnreadable` asks for the host.
    http: {
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: Math.min(times.silentMs, times.requestMs),
      connectionsCheckingInterval: Math.ceil(Math.min(times.silentMs, times.requestMs) / 12),
    },
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: false },
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    frameworkErrors: (error, request, reply) => {
      secured(reply);
      return refuse(error, request, reply, log);
    },
    clientErrorHandler: (error, socket) => refuseSocket(error, socket, always),
  });
  const paths = listPaths(app);
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  // Who has sent a request and closed their side of the connection is answered all the same.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  lingerOnUnread(app.server, systemClock);
  app.server.on("connect", (_, socket: Socket) => answerOn(socket, "bad_request", always));
  app.decorateRequest("actor", null);
  const addressOf = createClientAddress(config.trustProxy);
  app.decorateRequest("clientAddress", {
    getter() {
      return addressOf(this.socket.remoteAddress, this.headers["x-forwarded-for"]);
    },
  });
  // With callbacks, because they cost every request less than promises.
  app.addHook("onRequest", (request, reply, done) => {
    secured(reply);
    refuseUnreadable(request.raw);
    // Before the body is read: what does not exist is not parsed either.
    if (request.is404 || hasEmptyId(request)) refuseUnknown(request, reply, paths);
    done();
  });
  let draining = false;
  app.addHook("preClose", (done) => {
    draining = true;
    done();
  });
  // What was under way when the server began to close would otherwise leave its connection open, and closing wait for it.
  app.addHook("onSend", ({ raw }, reply, payload, done) => {
    const unread = isUnread(raw);
    if (draining || unread) reply.header("connection", "close");
    if (unread) discard(raw, reply.statusCode === 429 ? 0 : undefined);
    done(null, payload);
  });
  readBodies(app, {
    budget: createBodyBudget(),
    pace: times.pace,
    clock: systemClock,
    ask: continueWhenRead(app.server),
  });
  app.setErrorHandler((error: FastifyError, request, reply) => refuse(error, request, reply, log));
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, paths));
  return app;
}

/** Refuses what HTTP/1.1 does not allow, and expectations that are not met; the parser leaves both to us. */
function refuseUnreadable({ headers, httpVersion }: IncomingMessage): void {
  const { host, expect } = headers;
  if (host === undefined && httpVersion === "1.1") throw new Failure("bad_request");
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") throw new Failure("bad_request");
}

/** Whether a part of the path is empty where an id belongs, as after a trailing slash: the router takes that for an id. */
const hasEmptyId = ({ params }: FastifyRequest): boolean => Object.values(params as object).includes("");

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, paths: Paths): never {
  const allowed = paths.methodsOf(request.url);
  if (allowed.length === 0) throw new Failure("not_found", { details: { reason: "unknown_path" } });
  reply.header("allow", allowed.join(", "));
  throw new Failure("method_not_allowed");
}

function refuse(error: Error, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const failure = failureOf(error, request);
  const { status } = errorRow(failure.key);
  const about = { err: error, reqId: request.id, method: request.method, path: pathOf(request.url) };
  if (status >= 500) log.error(about, failure.key);
  if (isBrokenUpload(error, request)) log.debug(about, "the request broke off");
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (status === 503) reply.header("retry-after", "1");
  for (const [name, value] of Object.entries(failure.headers ?? {})) reply.header(name, value);
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(errorBody(failure.key, request.id, failure)));
}

/** An address without its query, which may hold what no log should. */
const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

const FRAMEWORK: Readonly<Record<string, ErrorKey>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_BAD_URL: "bad_request",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
};

/** Whether the sender went away, or broke the rules of HTTP, before the body was read to its end. */
const isBrokenUpload = (error: Error, { raw }: FastifyRequest): boolean => raw.errored === error;

/** Which declared error stands for what was thrown; anything unforeseen is ours. */
function failureOf(error: Error & { code?: string; statusCode?: number }, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new Failure("payload_too_large", { details: { limitBytes: request.routeOptions.bodyLimit } });
  }
  const known = FRAMEWORK[error.code ?? ""];
  if (known) return new Failure(known);
  if (isBrokenUpload(error, request)) return new Failure("bad_request");
  if (isDatabaseUnavailable(error)) return new Failure("service_unavailable");
  const blamed = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return new Failure(blamed ? "bad_request" : "internal_error");
}
