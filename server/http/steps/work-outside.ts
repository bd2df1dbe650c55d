import { NeedsAdmission } from "../../platform/compute.ts";
import { Failure, fail } from "../failure.ts";
import { keyUseOf, releaseKey, takeKey } from "../idempotency.ts";
import { demandEstimation } from "./find-estimation.ts";
import type { Exchange, Step, Wrap } from "./step.ts";

/**
 * Runs the handler of an endpoint that waits for a network, outside of any transaction; what it returns runs in the
 * transaction that the following steps open. An `Idempotency-Key` is taken before, in its own transaction: if the
 * request is repeated while it runs, or after a crash, the response says so, and the handler does not run again.
 */
export const workOutside: Step<Wrap> = (endpoint, mounting, handle) => {
  if (!endpoint.outside) return null;
  const { services, estimations } = mounting;
  const { pool, clock, config } = services;
  return async (exchange, next) => {
    const use = keyUseOf(exchange);
    const first = use && (await takeKey(pool, use));
    if (first) {
      if (first.status === 0) refuseRepeat(first, clock.now(), config.requestTimeoutSeconds);
      exchange.reply.header("idempotent-replayed", "true");
      return first;
    }
    try {
      const finish = await begin(exchange);
      return await next({ ...exchange, finish, keyIsTaken: use !== null });
    } catch (error) {
      // A refusal changes nothing, before the network and after it, and what begins anew begins with the key; after any
      // other failure nobody knows what was done.
      if (use && (error instanceof Failure || error instanceof NeedsAdmission)) await releaseKey(pool, use);
      throw error;
    }
  };

  async function begin(exchange: Exchange): Promise<NonNullable<Exchange["finish"]>> {
    const estimation = endpoint.right && (await demandEstimation(exchange, endpoint, estimations.find));
    return (await handle({ ...exchange, ...(estimation ? { estimation } : {}) })) as NonNullable<Exchange["finish"]>;
  }
};

/** Refuses (409) to repeat a request without a response: it is under way, or its time is over and its outcome unknown. */
function refuseRepeat({ createdAt }: { readonly createdAt: Date }, now: Date, timeoutSeconds: number): never {
  const timeoutMs = timeoutSeconds * 1_000;
  const leftMs = createdAt.getTime() + timeoutMs - now.getTime();
  if (leftMs <= 0) fail("outcome_unknown");
  fail("request_under_way", { headers: { "retry-after": String(Math.ceil(Math.min(leftMs, timeoutMs) / 1_000)) } });
}
