import type { Endpoint } from "../../../contract/endpoint.ts";
import type { Right } from "../../../contract/rights.ts";
import type { AccessedRecord, EstimationLookUp } from "../estimation-access.ts";
import { fail } from "../failure.ts";
import { hintForIds } from "../hints.ts";
import { checkRevision, parseTags } from "../revisions.ts";
import { estimationFinder } from "./estimation-id.ts";
import { isWrite } from "./open-transaction.ts";
import type { Exchange, Step, Wrap } from "./step.ts";

/** Returns estimation `id`. Refuses what `findEstimation` refuses. */
export async function demandEstimation(
  { request, db }: Exchange,
  id: string,
  find: EstimationLookUp["find"],
  right: Right,
  ifMatch: boolean | undefined,
): Promise<AccessedRecord> {
  const estimation = (await find(db, id, userIdOf({ request }), right)) ?? failWithoutFirst(request);
  if (ifMatch) checkRevision(parseTags(request.headers["if-match"]), estimation.revision);
  return estimation;
}

/** Refuses (404) with a hint that says which of several ids is meant. */
function failWithoutFirst(request: Exchange["request"]): never {
  const hint = hintForIds(request, true);
  return fail("not_found", hint ? { hint } : {});
}

const userIdOf = ({ request: { actor } }: { readonly request: Pick<Exchange["request"], "actor"> }): string =>
  (actor ?? fail("authorization_missing")).userId;

function findFor(endpoint: Endpoint, { lock, lockDeletedToo, find, findWithTree }: EstimationLookUp) {
  if (isWrite(endpoint) && !endpoint.copies) return endpoint.deletedToo ? lockDeletedToo : lock;
  return endpoint.withTree ? findWithTree : find;
}

/**
 * Gives the handler the estimation in the path with the caller's access level: locked for a write, without a lock for a
 * read. Refuses one that the caller may not see (404), a missing right (403), and a stale `If-Match` (412). If the row
 * lets people act on records of their own, they need no right.
 */
export const findEstimation: Step<Wrap> = (endpoint, mounting) => {
  const { right, ifMatch, orOwnRecord } = endpoint;
  const { estimations } = mounting;
  if (right === undefined) return null;
  const found = estimationFinder(endpoint, mounting);
  const find = findFor(endpoint, estimations);
  // Readers of one revision see different answers; a reader's level and the reviews change without a new revision.
  const tagsView = endpoint.method === "GET" && endpoint.etag;
  return async (exchange, next) => {
    const { estimationId, isTheirs } = await found(exchange);
    const estimation =
      orOwnRecord && isTheirs
        ? ((await estimations.lockForOwnRecord(exchange.db, estimationId, userIdOf(exchange))) ?? fail("not_found"))
        : await demandEstimation(exchange, estimationId, find, right, ifMatch);
    const answer = await next({ ...exchange, estimation });
    return tagsView && typeof answer.revision === "number" ? { ...answer, view: estimation } : answer;
  };
};
