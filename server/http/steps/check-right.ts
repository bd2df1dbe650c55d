import { may } from "../../../domain/access.ts";
import { demandRight } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/**
 * Checks the right to write before waiting for the record's turn: a caller without the right cannot delay others. It is
 * checked again under the lock, because it may be revoked meanwhile.
 *
 * A caller who has the right passes even if the estimation is deleted: a repeated request still gets the answer stored
 * for its `Idempotency-Key`. A caller without the right gets 404 if the estimation is deleted, else 403.
 */
export const checkRight: Step<Wrap> = (endpoint, { estimations }) => {
  const { right } = endpoint;
  if (right === undefined || !isWrite(endpoint)) return null;
  return async (exchange, next) => {
    const { params, actor } = exchange.request;
    const { userId } = actor ?? fail("authorization_missing");
    const { id } = params as { id: string };
    const level = await estimations.levelOf(exchange.db, id, userId);
    const isForbidden = may(level, right) === "forbidden";
    if (isForbidden && !(await estimations.find(exchange.db, id, userId))) fail("not_found");
    demandRight(level, right);
    return next(exchange);
  };
};
