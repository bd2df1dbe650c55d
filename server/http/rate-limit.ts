import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressGroup } from "./client-address.ts";
import { fail } from "./failure.ts";
import type { Actor } from "./handler.ts";

const WINDOW_MS = 60_000;
/** Callers counted at the same time in one process; beyond it the least recently seen is forgotten. */
const COUNTED_CALLERS = 200_000;

declare module "fastify" {
  interface FastifyRequest {
    /** Whose requests are counted together. */
    countedAs: string;
  }
}

/** Counts one request of `actor`, or of the address where there is none; refuses it (429) beyond the limit of a minute. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply, actor: Actor | null) => Promise<void>;

/** Counters with the headers of the IETF draft (draft-ietf-httpapi-ratelimit-headers): policy, what is left, seconds to reset. */
export async function createRateLimit(app: FastifyInstance, perMinute: number): Promise<CountRequest> {
  app.decorateRequest("countedAs", "");
  await app.register(rateLimit, { global: false, cache: COUNTED_CALLERS });
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => request.countedAs,
  });
  const policy = `"default";q=${perMinute};w=${WINDOW_MS / 1000}`;
  return async (request, reply, actor) => {
    request.countedAs = actor ? (actor.apiKeyId ?? actor.userId) : addressGroup(request.clientAddress);
    const result = await count(request);
    if (result.isAllowed) return;
    reply.header("ratelimit-policy", policy);
    reply.header("ratelimit", `"default";r=${result.remaining};t=${result.ttlInSeconds}`);
    if (result.isExceeded) fail("rate_limited", { headers: { "retry-after": String(result.ttlInSeconds) } });
  };
}
