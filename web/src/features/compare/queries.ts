import { queryOptions } from "@tanstack/react-query";
import { matchTree } from "../../../../domain/compare/match-trees.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { diff } from "../../../../domain/versions/diff.ts";
import type { Operation, Settings, Snapshot } from "../../../../domain/versions/shape.ts";
import { api } from "../../api/client.ts";
import { NoResponse } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { revisionOf } from "../trees/sync/revisions.ts";
import { CURRENT, type EstimationChoice, isEstimation, type OtherEstimations } from "./choices.ts";

/** What of a content is shown. */
export interface Content extends Pick<Settings, "correlation" | "rounding" | "hourlyRate" | "currency"> {
  /** Of another estimation its title; null for a content of this one. */
  readonly name: string | null;
  readonly tree: Tree;
}

/** Two contents, and what leads from the first to the second. */
export interface Compared {
  readonly from: Content;
  readonly to: Content;
  readonly operations: readonly Operation[];
}

/** How often to read an estimation that keeps changing between its parts. */
const TRIES = 4;

/** Returns the content of an estimation as it is now, and what else `readMore` reads: all of one revision. */
async function currentOf<T>(id: string, readMore: () => Promise<T>): Promise<readonly [Content, T]> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { data, headers } = await api.getTree({ params: { id } });
    const more = await readMore();
    // After all else: it is still of the tree's revision if nothing has changed in between.
    const { estimation } = (await api.getEstimation({ params: { id } })).data;
    if (estimation.revision === revisionOf(headers.get("etag")))
      return [{ ...estimation, name: estimation.title, tree: data.tree as Tree }, more];
  }
  throw new NoResponse("The estimation was changed each time that it was read");
}

const nothing = async () => null;

/** Returns a version of an estimation, its content as it is now, or that of another estimation. */
async function contentOf(id: string, of: string): Promise<Content> {
  if (isEstimation(of)) return (await currentOf(of, nothing))[0];
  if (of === CURRENT) return { ...(await currentOf(id, nothing))[0], name: null };
  const { content } = (await api.getVersion({ params: { id, versionId: of } })).data.version;
  return { ...content, name: null, tree: content.tree as Tree };
}

const diffOf = async (id: string, versionId: string, against: string) =>
  (await api.diffVersions({ params: { id, versionId }, query: { against } })).data.diff
    .operations as unknown as Operation[];

/** Compares any two contents. Things of two estimations are matched as well as can be: their ids differ. */
export const comparedQuery = (id: string, from: string, to: string) =>
  queryOptions({
    queryKey: keys.compared(id, from, to),
    queryFn: async (): Promise<Compared> => {
      if ([from, to].some(isEstimation)) {
        const [before, other] = await Promise.all([contentOf(id, from), contentOf(id, to)]);
        const after = { ...other, tree: matchTree(before.tree, other.tree) };
        return { from: before, to: after, operations: diff(snapshotOf(before), snapshotOf(after)) };
      }
      if (to === CURRENT) {
        const [before, [now, operations]] = await Promise.all([
          contentOf(id, from),
          currentOf(id, () => diffOf(id, from, CURRENT)),
        ]);
        return { from: before, to: { ...now, name: null }, operations };
      }
      const [before, after, operations] = await Promise.all([
        contentOf(id, from),
        contentOf(id, to),
        diffOf(id, from, to),
      ]);
      return { from: before, to: after, operations };
    },
    gcTime: 0,
  });

/** Returns what of a content is compared with another estimation: what its hours and its price follow from. */
function snapshotOf({ tree, correlation, rounding, hourlyRate, currency }: Content): Snapshot {
  const compared = { tree, correlation, rounding, hourlyRate, currency };
  return { ...compared, title: "", description: "", assumptions: "", clientName: null, timeline: null, milestones: [] };
}

/** One more content beside the two. */
export const contentQuery = (id: string, of: string) =>
  queryOptions({ queryKey: keys.comparedContent(id, of), queryFn: () => contentOf(id, of), gcTime: 0 });

/** How many other estimations are offered without a search, and how many a search finds. */
const OFFERED = 20;

/** Other estimations to choose from, those that were edited last. */
export const othersQuery = (id: string) =>
  queryOptions({
    queryKey: keys.otherEstimations(id),
    queryFn: async (): Promise<OtherEstimations> => {
      const { estimations, nextCursor } = (await api.listEstimations({ query: { limit: OFFERED } })).data;
      return { newest: estimations.filter((other) => other.id !== id), hasMore: nextCursor !== null };
    },
  });

/** The estimations that a search finds; undefined: those that were edited last. */
export const foundQuery = (q: string | undefined) =>
  queryOptions({
    queryKey: keys.foundEstimations(q),
    queryFn: async (): Promise<EstimationChoice[]> =>
      (await api.listEstimations({ query: { limit: OFFERED, ...(q && { q }) } })).data.estimations,
  });
