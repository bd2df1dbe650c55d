import type { Right } from "../../../contract/rights.ts";
import { type AccessedRecord, demandRight, type EstimationLookUp } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { checkRevision, parseTags } from "../revisions.ts";
import { isWrite } from "./open-transaction.ts";
import type { Exchange, Step, Wrap } from "./step.ts";

/** Returns the estimation in the path. Refuses what `findEstimation` refuses. */
export async function demandEstimation(
  { request: { params, actor, headers }, db }: Exchange,
  find: EstimationLookUp["find"],
  right: Right,
  ifMatch: boolean | undefined,
): Promise<AccessedRecord> {
  const { userId } = actor ?? fail("authorization_missing");
  const estimation = (await find(db, (params as { id: string }).id, userId)) ?? fail("not_found");
  demandRight(estimation.access, right);
  if (ifMatch) checkRevision(parseTags(headers["if-match"], "if-match"), estimation.revision);
  return estimation;
}

/**
 * Gives the handler the estimation in the path with the caller's access level: locked for a write, without a lock for a
 * read. Refuses one that the caller may not see (404), a missing right (403), and a stale `If-Match` (412).
 */
export const findEstimation: Step<Wrap> = (endpoint, { estimations }) => {
  const { right, withTree, ifMatch } = endpoint;
  if (right === undefined) return null;
  const find = isWrite(endpoint) ? estimations.lock : withTree ? estimations.findWithTree : estimations.find;
  return async (exchange, next) =>
    next({ ...exchange, estimation: await demandEstimation(exchange, find, right, ifMatch) });
};
