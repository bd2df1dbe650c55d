import { demandRight } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/**
 * Judges the right to a write before the turn of its record is taken: who may not write cannot make others wait. It is
 * judged again under the lock, because it may be taken away meanwhile.
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
