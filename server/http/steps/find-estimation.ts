import type { Endpoint } from "../../../contract/endpoint.ts";
import { locksEstimation } from "../../../contract/rights.ts";
import type { AccessedRecord, EstimationLookUp } from "../callers/estimation-access.ts";
import { fail } from "../failure.ts";
import { checkRevision, parseTags } from "../revisions.ts";
import { hintForIds } from "../validation/hints.ts";
import { isWrite } from "./open-transaction.ts";
import type { Exchange, Step, Wrap } from "./step.ts";

/** Returns the estimation in the path of an endpoint with a right. Refuses what `findEstimation` refuses. */
export async function demandEstimation(
  { request, db }: Exchange,
  { right = "read", ifMatch }: Endpoint,
  find: EstimationLookUp["find"],
): Promise<AccessedRecord> {
  const { userId } = request.actor ?? fail("authorization_missing");
  const { id } = request.params as { readonly id: string };
  const estimation = (await find(db, id, userId, right)) ?? failWithoutFirst(request);
  if (ifMatch) checkRevision(parseTags(request.headers["if-match"]), estimation.revision);
  return estimation;
}

/** Refuses (404) with a hint that says which of several ids is meant. */
function failWithoutFirst(request: Exchange["request"]): never {
  const hint = hintForIds(request, true);
  return fail("not_found", hint ? { hint } : {});
}

/**
 * Gives the handler the estimation in the path with the caller's access level: locked for a write, without a lock for a
 * read, a copy or an estimate. Refuses one that the caller may not see (404), a missing right (403), and a stale `If-Match` (412).
 */
export const findEstimation: Step<Wrap> = (endpoint, { estimations }) => {
  const { right, method, etag, withTree } = endpoint;
  if (right === undefined) return null;
  const { lock, find, findWithTree } = estimations;
  const look = isWrite(endpoint) && locksEstimation(right) ? lock : withTree ? findWithTree : find;
  // Readers of one revision see different responses; a reader's level and the reviews change without a new revision.
  const tagsView = method === "GET" && etag;
  return async (exchange, next) => {
    const estimation = await demandEstimation(exchange, endpoint, look);
    const response = await next({ ...exchange, estimation });
    return tagsView && typeof response.revision === "number" ? { ...response, view: estimation } : response;
  };
};
