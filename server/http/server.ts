import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from "fastify";
import { limits } from "../../contract/limits.ts";
import { isMeasured } from "../config.ts";
import { withinDeadline } from "../platform/deadline.ts";
import { NO_ENDPOINT } from "../platform/metrics/rows.ts";
import type { Services } from "../services/index.ts";
import { type Admit, createAdmission } from "./admission.ts";
import { boundBodies, readBodies } from "./body/read-bodies.ts";
import { createClientAddress } from "./callers/client-address.ts";
import { chargeForCost, createRateLimit, type RateLimit } from "./callers/rate-limit.ts";
import { createRateCounters, type RateCounters } from "./callers/shared-counts.ts";
import { fail } from "./failure.ts";
import { listPaths } from "./paths.ts";
import { compressResponses } from "./response/compress.ts";
import { refuse, refuseUnknown } from "./response/refuse.ts";
import { refuseSocket } from "./response/refuse-socket.ts";
import { serializerCompiler } from "./response/respond.ts";
import { apiHeaders, securityHeaders } from "./response/security-headers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Address of the client: the connection's, or the one that a trusted proxy reports. */
    readonly clientAddress: string;
  }
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const RATE_WINDOW_MS = 60_000;

/** How long the parts of an exchange may take, in milliseconds. */
export interface ServerTimes {
  /** A whole request, to its last byte. */
  readonly requestMs: number;
  /** The head of a request, including the first one of a connection. */
  readonly silentMs: number;
}

const TIMES: ServerTimes = { requestMs: 120_000, silentMs: 60_000 };

/** Connections that are open at the same time; further ones are closed. */
const CONNECTIONS_MAX = 4_096;

/** Responds to a request for an unknown path with something other than an error; returns false if it does not. */
type ResponseUnknown = (request: FastifyRequest, reply: FastifyReply) => boolean;

export interface CreatedServer {
  readonly app: FastifyInstance;
  readonly rateLimit: RateLimit;
  /** For limits of their own; they end with the server. */
  readonly counters: RateCounters;
  readonly admit: Admit;
  /** Sets what is tried for requests for unknown paths before they are refused. */
  responseUnknownWith(response: ResponseUnknown): void;
}

/** Returns a Fastify server that sends every error, including those of the HTTP parser, in the service's envelope. */
export function createServer(
  services: Pick<Services, "config" | "log" | "clock" | "metrics" | "pool" | "throttleKey">,
  given: Partial<ServerTimes> = {},
): CreatedServer {
  const { config, log, clock, metrics } = services;
  const times = { ...TIMES, ...given };
  const always = Object.entries(securityHeaders(config.baseUrl));
  const secured = (reply: FastifyReply) => {
    for (const [name, value] of always) reply.header(name, value);
    reply.header("x-request-id", reply.request.id);
    if (reply.request.url.startsWith("/api/")) reply.header("cache-control", apiHeaders["cache-control"]);
  };
  const refusing = { log, baseUrl: config.baseUrl, clock, metrics };
  const app = fastify({
    // Below a warning the framework only logs that it listens, which the greeting does.
    loggerInstance: log.child({}, { level: log.isLevelEnabled("warn") ? "warn" : log.level }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: times.requestMs,
    keepAliveTimeout: times.silentMs,
    // Requests that arrive while the server drains get normal responses.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // Of hooks too: closing waits for requests, which have limits of their own.
    pluginTimeout: 0,
    // With this on, the parser would respond by itself, outside the envelope: `refuseUnreadable` checks for the host.
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
      return refuse(error, request, reply, refusing);
    },
    clientErrorHandler: (error, socket) => refuseSocket(error, socket, always, refusing),
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  app.setSerializerCompiler(serializerCompiler);
  const paths = listPaths(app);
  const counters = createRateCounters(services);
  app.addHook("onClose", () => counters.stop());
  const counter = counters.of("requests", config.rateLimitPerMinute, RATE_WINDOW_MS);
  const rateLimit = createRateLimit(counter);
  chargeForCost(app, counter);
  compressResponses(app);
  app.decorateRequest("actor", null);
  const addressOf = createClientAddress(config.trustProxy);
  app.decorateRequest("clientAddress", {
    getter() {
      return addressOf(this.socket.remoteAddress, this.headers["x-forwarded-for"]);
    },
  });
  let responseUnknown: ResponseUnknown = () => false;
  // With callbacks, because they cost each request less than promises.
  app.addHook("onRequest", (request, reply, done) => {
    secured(reply);
    refuseUnreadable(request.raw);
    if (!request.is404 && !hasEmptyId(request)) return done();
    // Before the body is read: it is not parsed for a path that does not exist.
    rateLimit
      .count(request, reply, null)
      .then(() => responseUnknown(request, reply) || refuseUnknown(request, reply, paths))
      .catch(done);
  });
  let draining = false;
  app.addHook("preClose", (done) => {
    draining = true;
    done();
  });
  // A request under way when closing began would otherwise leave its connection open, and closing would wait for it.
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (draining) reply.header("connection", "close");
    done(null, payload);
  });
  if (isMeasured(config)) {
    app.addHook("onResponse", (request, reply, done) => {
      const { endpoint = NO_ENDPOINT } = request.routeOptions.config;
      metrics.requests.inc({ endpoint, status: reply.statusCode });
      metrics.requestSeconds.observe({ endpoint }, reply.elapsedTime / 1_000);
      done();
    });
  }
  const admit = createAdmission(app);
  readBodies(app, (request, work) =>
    withinDeadline(
      clock,
      config.requestTimeoutSeconds * 1_000,
      async (deadline) => {
        await admit(request);
        return work().finally(() => {
          request.computedMs += deadline.computedMs;
        });
      },
      request.actor?.userId ?? request.clientAddress,
    ),
  );
  boundBodies(app);
  app.setErrorHandler((error: FastifyError, request, reply) => refuse(error, request, reply, refusing));
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, paths));
  const responseUnknownWith = (response: ResponseUnknown) => {
    responseUnknown = response;
  };
  return { app, rateLimit, counters, admit, responseUnknownWith };
}

/** Refuses what HTTP/1.1 does not allow; the parser leaves both to the service. */
function refuseUnreadable({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === "1.1") fail("bad_request");
  // If `chunked` is not last, the parser itself refuses the request.
  if (/,\s*chunked\s*$/i.test(headers["transfer-encoding"] ?? "")) fail("transfer_coding_unknown");
}

/**
 * Returns whether a path segment is empty where an id belongs, as after a trailing slash: the router would accept it as
 * an id.
 */
const hasEmptyId = ({ params }: FastifyRequest): boolean => Object.values(params as object).includes("");
