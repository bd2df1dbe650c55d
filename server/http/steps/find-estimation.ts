import { demandRight } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { checkRevision, parseTags } from "../revisions.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/**
 * Gives the handler the estimation in the path with the caller's access level: locked for a write, without a lock for a
 * read. Refuses one that the caller may not see (404), a missing right (403), and a stale `If-Match` (412).
 */
export const findEstimation: Step<Wrap> = (endpoint, { estimations }) => {
  const { right, withTree, ifMatch } = endpoint;
  if (right === undefined) return null;
  const find = isWrite(endpoint) ? estimations.lock : withTree ? estimations.findWithTree : estimations.find;
  return async (exchange, next) => {
    const { params, actor, headers } = exchange.request;
    const { userId } = actor ?? fail("authorization_missing");
    const found = await find(exchange.db, (params as { id: string }).id, userId);
    const estimation = found ?? fail("not_found");
    demandRight(estimation.access, right);
    if (ifMatch) checkRevision(parseTags(headers["if-match"], "if-match"), estimation.revision);
    return next({ ...exchange, estimation });
  };
};
