import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { type DetailsOf, type ErrorKey, errorRow } from "../../../contract/errors.ts";
import { isDatabaseUnavailable } from "../../db/failures.ts";
import type { Clock } from "../../platform/clock.ts";
import { DeadlineExceeded } from "../../platform/deadline.ts";
import { TooManyOfCaller } from "../../platform/fair-queue.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { Overloaded } from "../../platform/turns.ts";
import { Failure } from "../failure.ts";
import type { Paths } from "../paths.ts";
import { hintFor, hintForMethod, hintForPath } from "../validation/hints.ts";
import { errorBody } from "./envelope.ts";

/** Refuses a path that does not exist (404), or not with this method (405). */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply, paths: Paths): never {
  const allowed = paths.methodsOf(request.url);
  if (allowed.length === 0) {
    const hint = hintForPath(request.method, request.url, paths);
    throw new Failure("not_found", { details: { reason: "unknown_path" }, ...(hint ? { hint } : {}) });
  }
  reply.header("allow", allowed.join(", "));
  // A page of the web application may have the name of a collection of the API.
  const hint = hintForPath(request.method, request.url, paths) ?? hintForMethod(request, allowed);
  throw new Failure("method_not_allowed", { hint });
}

export interface Refusing {
  readonly log: Logger;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Responds to a request with the declared error for what was thrown. */
export function refuse(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, baseUrl, clock, metrics }: Refusing,
): FastifyReply {
  const failure = failureOf(error, request);
  const { status } = errorRow(failure.key);
  metrics.refusals.inc({ error: failure.key, limit: limitOf(failure) });
  const about = { err: error, reqId: request.id, method: request.method, path: pathOf(request.url) };
  // A refusal is no fault of the service: where it was thrown says nothing.
  const isMeant = error instanceof Failure || error instanceof Overloaded;
  if (status >= 500) log.error(isMeant ? { ...about, err: undefined } : about, failure.key);
  if (isBrokenUpload(error, request)) log.debug(about, "the request broke off");
  if (status === 401) reply.header("www-authenticate", "Bearer");
  // What follows cannot be separated from the body.
  if (status === 501) reply.header("connection", "close");
  // Fastify closes the connection of a refused body. Open, Node.js discards the rest, and its sender gets this response.
  else if (reply.hasHeader("connection")) reply.removeHeader("connection");
  if (status === 503) reply.header("retry-after", "1");
  for (const [name, value] of Object.entries(failure.headers ?? {})) reply.header(name, value);
  const waiting = status === 429 ? waitingFor(reply.getHeaders(), clock.now()) : {};
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(
      JSON.stringify(
        errorBody(failure.key, request.id, baseUrl, {
          ...failure,
          ...waiting,
          hint: failure.hint ?? hintFor(failure.key, request),
        }),
      ),
    );
}

/** Returns the limit that was reached; empty for other refusals. */
const limitOf = ({ key, details }: Failure): string =>
  key === "limit_reached" ? ((details as DetailsOf<"limit_reached">).quota ?? "") : "";

/** What the headers of a refusal say of the limit and of the time until it can be tried again. */
function waitingFor(headers: ReturnType<FastifyReply["getHeaders"]>, now: Date): { details: object } {
  const seconds = Number(headers["retry-after"]);
  // Other limits refuse while something is left of these.
  const policy = /^"([\w-]+)";r=0;/.exec(String(headers.ratelimit))?.[1];
  return { details: { ...(policy && { policy }), until: new Date(now.getTime() + seconds * 1_000).toISOString() } };
}

/** Returns an address without its query, which may contain secrets that must not be logged. */
const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

const FRAMEWORK: Readonly<Record<string, ErrorKey>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_BAD_URL: "bad_request",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
};

/** Returns whether the sender disconnected, or violated HTTP, before the body was read completely. */
const isBrokenUpload = (error: Error, { raw }: FastifyRequest): boolean => raw.errored === error;

/** Returns the declared error for what was thrown; anything unexpected is an internal error. */
function failureOf(error: Error & { code?: string; statusCode?: number }, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    request.bodyBytes = request.routeOptions.bodyLimit ?? 0;
    return new Failure("payload_too_large", { details: { limitBytes: request.routeOptions.bodyLimit } });
  }
  const known = FRAMEWORK[error.code ?? ""];
  if (known) return new Failure(known);
  if (isBrokenUpload(error, request)) return new Failure("bad_request");
  if (error instanceof TooManyOfCaller) return new Failure("rate_limited", { headers: { "retry-after": "1" } });
  const isBusy = error instanceof Overloaded || error instanceof DeadlineExceeded;
  if (isBusy || isDatabaseUnavailable(error)) return new Failure("service_unavailable");
  const blamed = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return new Failure(blamed ? "bad_request" : "internal_error");
}
