import { demandRight } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/**
 * Checks the right to write before waiting for the record's turn: a caller without the right cannot delay others. It is
 * checked again under the lock, because it may be revoked meanwhile.
 */
export const checkRight: Step<Wrap> = (endpoint, { estimations }) => {
  const { right } = endpoint;
  if (right === undefined || !isWrite(endpoint)) return null;
  return async (exchange, next) => {
    const { params, actor } = exchange.request;
    const { userId } = actor ?? fail("authorization_missing");
    demandRight(await estimations.levelOf(exchange.db, (params as { id: string }).id, userId), right);
    return next(exchange);
  };
};
