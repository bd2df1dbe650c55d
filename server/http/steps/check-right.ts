import { isRepeatable } from "../../../contract/endpoint.ts";
import { may } from "../../../domain/access.ts";
import { demandRight } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { hasAnswer, keyUseOf } from "../idempotency.ts";
import { estimationFinder } from "./estimation-id.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/**
 * Checks the right to write before waiting for the record's turn: a caller without the right cannot delay others. It is
 * checked again under the lock, because it may be revoked meanwhile.
 *
 * A caller who has the right passes even if the estimation is deleted: a repeated request still gets the answer stored
 * for its `Idempotency-Key`. So does a reader who no longer has the right, such as one who handed the estimation over.
 * Any other reader without the right gets 404 if the estimation is deleted, else 403.
 */
export const checkRight: Step<Wrap> = (endpoint, mounting) => {
  const { right, orOwnRecord } = endpoint;
  const { estimations } = mounting;
  if (right === undefined || !isWrite(endpoint) || endpoint.copies) return null;
  const find = estimationFinder(endpoint, mounting);
  return async (exchange, next) => {
    const { userId } = exchange.request.actor ?? fail("authorization_missing");
    const { estimationId: id, isTheirs } = await find(exchange);
    if (orOwnRecord && isTheirs) return next(exchange);
    const level = await estimations.levelOf(exchange.db, id, userId);
    const isForbidden = may(level, right) === "forbidden";
    if (isForbidden) {
      const use = isRepeatable(endpoint) ? keyUseOf(exchange) : null;
      if (use && (await hasAnswer(exchange.db, use))) return next(exchange);
      if (!(await estimations.find(exchange.db, id, userId, "read"))) fail("not_found");
    }
    demandRight(level, right);
    return next(exchange);
  };
};
