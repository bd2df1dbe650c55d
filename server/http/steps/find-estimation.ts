import type { Endpoint } from "../../../contract/endpoint.ts";
import type { Right } from "../../../contract/rights.ts";
import { type AccessedRecord, demandRight, type EstimationLookUp } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { checkRevision, parseTags } from "../revisions.ts";
import { estimationIdOf } from "./estimation-id.ts";
import { isWrite } from "./open-transaction.ts";
import type { Exchange, Step, Wrap } from "./step.ts";

/** Returns estimation `id`. Refuses what `findEstimation` refuses. */
export async function demandEstimation(
  { request: { actor, headers }, db }: Exchange,
  id: string,
  find: EstimationLookUp["find"],
  right: Right,
  ifMatch: boolean | undefined,
): Promise<AccessedRecord> {
  const { userId } = actor ?? fail("authorization_missing");
  const estimation = (await find(db, id, userId)) ?? fail("not_found");
  demandRight(estimation.access, right);
  if (ifMatch) checkRevision(parseTags(headers["if-match"], "if-match"), estimation.revision);
  return estimation;
}

function findFor(endpoint: Endpoint, { lock, lockDeletedToo, find, findWithTree }: EstimationLookUp) {
  if (isWrite(endpoint) && !endpoint.copies) return endpoint.deletedToo ? lockDeletedToo : lock;
  return endpoint.withTree ? findWithTree : find;
}

/**
 * Gives the handler the estimation in the path with the caller's access level: locked for a write, without a lock for a
 * read. Refuses one that the caller may not see (404), a missing right (403), and a stale `If-Match` (412).
 */
export const findEstimation: Step<Wrap> = (endpoint, mounting) => {
  const { right, ifMatch } = endpoint;
  const { estimations } = mounting;
  if (right === undefined) return null;
  const idOf = estimationIdOf(endpoint, mounting);
  const find = findFor(endpoint, estimations);
  return async (exchange, next) => {
    // A replay changes nothing, and the revision has changed with its first request.
    const compares = ifMatch && !exchange.kept;
    const estimation = await demandEstimation(exchange, await idOf(exchange), find, right, compares);
    return next({ ...exchange, estimation });
  };
};
