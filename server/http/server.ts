import { randomUUID } from "node:crypto";
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
import { type ErrorKey, errorRow } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { isDatabaseUnavailable } from "../db/failures.ts";
import type { Services } from "../services.ts";
import { errorBody } from "./envelope.ts";
import { Failure } from "./failure.ts";
import { listPaths, type Paths } from "./paths.ts";
import { readBodies } from "./read-body.ts";
import { apiHeaders, securityHeaders } from "./security-headers.ts";

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const REQUEST_TIMEOUT_MS = 120_000;

/** A Fastify server that answers every error, those of the HTTP parser included, in the service's envelope. */
export function createServer(
  { config, log }: Pick<Services, "config" | "log">,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
): FastifyInstance {
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
    requestTimeout: requestTimeoutMs,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // Requests that arrive while the server drains are answered like any other.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    http: { maxHeaderSize: limits.headerBytes, connectionsCheckingInterval: requestTimeoutMs / 4 },
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: false },
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    frameworkErrors: (error, request, reply) => {
      secured(reply);
      return refuse(error, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseSocket(error, socket, always),
  });
  const paths = listPaths(app);
  app.decorateRequest("actor", null);
  app.addHook("onRequest", async (request, reply) => {
    secured(reply);
    // Before the body is read: what does not exist is not parsed either.
    if (request.is404) refuseUnknown(request, reply, paths);
  });
  let draining = false;
  app.addHook("preClose", (done) => {
    draining = true;
    done();
  });
  // What was under way when the server began to close would otherwise leave its connection open, and closing wait for it.
  app.addHook("onSend", (_, reply, payload, done) => {
    if (draining) reply.header("connection", "close");
    done(null, payload);
  });
  readBodies(app);
  app.setErrorHandler((error: FastifyError, request, reply) => refuse(error, request, reply));
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, paths));
  return app;
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, paths: Paths): never {
  const allowed = paths.methodsOf(request.url);
  if (allowed.length === 0) throw new Failure("not_found");
  reply.header("allow", allowed.join(", "));
  throw new Failure("method_not_allowed");
}

function refuse(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error, request);
  const { status } = errorRow(failure.key);
  if (status >= 500) request.log.error({ err: error, method: request.method, path: pathOf(request.url) }, failure.key);
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

/** Which declared error stands for what was thrown; anything unforeseen is ours. */
function failureOf(error: Error & { code?: string; statusCode?: number }, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new Failure("payload_too_large", { details: { limitBytes: request.routeOptions.bodyLimit } });
  }
  const known = FRAMEWORK[error.code ?? ""];
  if (known) return new Failure(known);
  if (isDatabaseUnavailable(error)) return new Failure("service_unavailable");
  const blamed = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return new Failure(blamed ? "bad_request" : "internal_error");
}

/** Answers what could not be read as a request at all; there is no reply object, so the bytes are written here. */
function refuseSocket(error: NodeJS.ErrnoException, socket: Socket, headers: [string, string][]): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const key: ErrorKey =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "header_fields_too_large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request_timeout"
        : "bad_request";
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(key, requestId));
  const lines = [
    `HTTP/1.1 ${errorRow(key).status} ${key}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `cache-control: ${apiHeaders["cache-control"]}`,
    `x-request-id: ${requestId}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
