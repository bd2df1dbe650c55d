import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import type { LoadedTree } from "./drafts.ts";

/** Returns the revision that a tag is of; the tag also says whether the response was compressed, and for whom it was. */
export const revisionOf = (etag: string | null): number => Number(/\d+/.exec(etag ?? "")?.[0] ?? 0);

/**
 * If somebody changed the estimation between the two, returns the tree with the older tag: a save based on it is then
 * refused as stale, and merged.
 */
export function ofOneRevision(estimation: Estimation, { nodes, etag }: LoadedTree): LoadedTree {
  const revision = revisionOf(etag);
  return { nodes, etag: revision === estimation.revision ? etag : `"${Math.min(revision, estimation.revision)}"` };
}
