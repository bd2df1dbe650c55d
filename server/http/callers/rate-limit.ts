import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { fail } from "../failure.ts";
import { addressGroup } from "./client-address.ts";
import { createRateCounter, type Left, type RateCounter } from "./rate-counter.ts";

/** A request counts once, once more for each this many bytes of body and response, … */
export const REQUEST_UNIT_BYTES = 128 * 1024;
/** … once more for each this many milliseconds that it takes, … */
export const REQUEST_UNIT_MS = 100;
/** … and once more for each this many milliseconds of long computations, so that a user gets a tenth of a processor. */
const COMPUTED_UNIT_MS = 5;

declare module "fastify" {
  interface FastifyRequest {
    /** The caller that the request was counted for; null for none. */
    countedFor: string | null;
    /** Bytes of the body that were read. */
    bodyBytes: number;
    /** Bytes of lines that were sent; other responses have a `Content-Length`. */
    streamedBytes: number;
    /** Milliseconds that its handler took, without waiting for its turn. */
    spentMs: number;
    /** Milliseconds of long computations for it, of the processor or of a worker thread. */
    computedMs: number;
  }
}

/** Counts requests per user, whatever the credential, and per address if the user is not known. */
export interface RateLimit {
  /** Counts a request for a user, or for its address (null). Refuses it (429) if nothing is left. */
  count(request: FastifyRequest, reply: FastifyReply, userId: string | null): Promise<void>;
  /** Moves an already counted request to another caller. Never refuses: the request has already cost its query. */
  countInstead(request: FastifyRequest, reply: FastifyReply, userId: string | null): Promise<void>;
}

/**
 * A request costs one unit when it arrives, and afterwards the rest of its cost: for its bytes and its time. Headers
 * follow the IETF draft (draft-ietf-httpapi-ratelimit-headers): policy, units left, seconds to the reset.
 */
export function createRateLimit(counter: RateCounter): RateLimit {
  const callerOf = (request: FastifyRequest, userId: string | null) => userId ?? addressGroup(request.clientAddress);
  const tell = teller("default", counter);
  return {
    async count(request, reply, userId) {
      const caller = callerOf(request, userId);
      const left = await counter.take(caller);
      const seconds = tell(reply, left);
      if (!left.allowed) fail("rate_limited", { headers: { "retry-after": String(seconds) } });
      request.countedFor = caller;
    },
    async countInstead(request, reply, userId) {
      if (request.countedFor !== null) await counter.charge(request.countedFor, -1);
      const caller = callerOf(request, userId);
      const left = await counter.take(caller);
      if (!left.allowed) await counter.charge(caller, 1);
      tell(reply, left);
      request.countedFor = caller;
    },
  };
}

/** Returns what writes a policy and what is left of it into the headers; that returns the seconds to the reset. */
function teller(name: string, { perWindow, windowMs }: RateCounter) {
  const policy = `"${name}";q=${perWindow};w=${windowMs / 1000}`;
  return (reply: FastifyReply, { remaining, resetMs }: Left): number => {
    const seconds = Math.ceil(resetMs / 1000);
    reply.header("ratelimit-policy", policy);
    reply.header("ratelimit", `"${name}";r=${remaining};t=${seconds}`);
    return seconds;
  };
}

/** Counts the requests of each user to one endpoint. Refuses (429) what is beyond `perMinute`, with this limit's headers. */
export function createEndpointLimit(perMinute: number, clock: Clock) {
  const counter = createRateCounter(perMinute, 60_000, clock);
  const tell = teller("endpoint", counter);
  return async (reply: FastifyReply, userId: string): Promise<void> => {
    const left = await counter.take(userId);
    if (!left.allowed) fail("rate_limited", { headers: { "retry-after": String(tell(reply, left)) } });
  };
}

/** Charges every request of `app` for its cost, once its response is sent. */
export function chargeForCost(app: FastifyInstance, counter: RateCounter): void {
  app.decorateRequest("countedFor", null);
  app.decorateRequest("bodyBytes", 0);
  app.decorateRequest("spentMs", 0);
  app.decorateRequest("computedMs", 0);
  app.decorateRequest("streamedBytes", 0);
  app.addHook("onResponse", async (request, reply) => {
    const { countedFor, spentMs, computedMs } = request;
    if (countedFor === null) return;
    const sent = Number(reply.getHeader("content-length") ?? request.streamedBytes);
    const bytes = bytesOf(request) + Math.max(request.plainBytes, sent);
    const units =
      Math.floor(bytes / REQUEST_UNIT_BYTES) +
      Math.floor(spentMs / REQUEST_UNIT_MS) +
      Math.floor(computedMs / COMPUTED_UNIT_MS);
    if (units > 0) await counter.charge(countedFor, units);
  });
}

/** Returns the bytes of a request's body, including those that its sender goes on sending after a refusal. */
const bytesOf = ({ headers, bodyBytes, routeOptions }: FastifyRequest): number =>
  Math.max(bodyBytes, Math.min(Number(headers["content-length"] ?? 0), 2 * (routeOptions.bodyLimit ?? 0)));
