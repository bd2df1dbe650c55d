import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Thread } from "../../../../contract/endpoints/threads.ts";
import { limits } from "../../../../contract/limits.ts";
import type { MergeSide } from "../../../../contract/values/merge-conflicts.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { estimationQuery } from "../estimations/queries.ts";

/** The versions of an estimation, newest first; of one thread only, if it is named. */
export const versionsQuery = (id: string, thread: string | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.versionList(id, thread),
    queryFn: async ({ pageParam: cursor }) =>
      (await api.listVersions({ params: { id }, query: { thread, limit: limits.pageSizeInside, cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** All threads of an estimation, Main first. */
export const threadsQuery = (id: string) =>
  queryOptions({
    queryKey: keys.threads(id),
    queryFn: async () => {
      const all: Thread[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: limits.pageSizeInside, cursor };
        const { data } = await api.listThreads({ params: { id }, query });
        all.push(...data.threads);
        cursor = data.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return all;
    },
  });

/** How much the content has changed since a version, and the revision of the content that this is about. */
export const changesSinceQuery = (id: string, versionId: string) =>
  queryOptions({
    queryKey: keys.changesSince(id, versionId),
    queryFn: async () => {
      // Before the changes: what is edited in between is refused then, not restored over unseen.
      const { revision } = (await api.getEstimation({ params: { id } })).data.estimation;
      const { diff } = (await api.diffVersions({ params: { id, versionId } })).data;
      return { ...diff, revision };
    },
    gcTime: 0,
  });

/** Queries of what is asked about before it is done. */
const ASKED = [keys.changesSince, keys.dryMerge, keys.treesOf, keys.compared];

/**
 * Loads again what a version or a thread that was made or changed shows in; after a refusal also what the dialog that stays
 * open shows.
 */
export function reloadHistory(queries: QueryClient, id: string, refusal: unknown = null): Promise<unknown> {
  void queries.invalidateQueries({ queryKey: keys.estimations });
  const refetchType = refusal === null ? "none" : "active";
  return Promise.all([
    ...ASKED.map((key) => queries.invalidateQueries({ queryKey: key(id), refetchType })),
    queries.invalidateQueries({ queryKey: keys.versions(id) }),
    queries.invalidateQueries({ queryKey: threadsQuery(id).queryKey }),
    queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey }),
  ]);
}

/** A merge to try out. */
interface DryMerge {
  readonly from: string;
  readonly into: string;
  readonly resolutions: readonly { readonly id: string; readonly side: MergeSide }[];
  /** Decides what no resolution names. */
  readonly otherwise: MergeSide | undefined;
}

/** What a merge would change, or what is to be decided first; nothing is stored. */
export const dryMergeQuery = (id: string, { from, into, resolutions, otherwise }: DryMerge) =>
  queryOptions({
    queryKey: keys.dryMerge(id, from, into, resolutions, otherwise),
    queryFn: async () => {
      const body = { into, resolutions: [...resolutions], otherwise, dryRun: true };
      return (await api.mergeThread({ params: { id, threadId: from }, body })).data.merge;
    },
    gcTime: 0,
  });

/** The tree of a thread: that of the current one as it is now, of others that of their latest version. */
export const treeOfThreadQuery = (id: string, { current, headVersionId }: Pick<Thread, "current" | "headVersionId">) =>
  queryOptions({
    queryKey: keys.treesOf(id, "thread", current ? null : headVersionId),
    queryFn: async () => {
      if (current || headVersionId === null) return (await api.getTree({ params: { id } })).data.tree as Tree;
      const { content } = (await api.getVersion({ params: { id, versionId: headVersionId } })).data.version;
      return content.tree as Tree;
    },
    gcTime: 0,
  });

/** The trees in which what changes and messages are about can be found: the current one, and those of versions. */
export const treesQuery = (id: string, versionIds: readonly (string | null)[]) =>
  queryOptions({
    queryKey: keys.treesOf(id, versionIds),
    queryFn: async () => {
      const read = async (versionId: string) =>
        (await api.getVersion({ params: { id, versionId } })).data.version.content.tree;
      const current = async () => (await api.getTree({ params: { id } })).data.tree;
      return await Promise.all([current(), ...versionIds.filter((one) => one !== null).map(read)]);
    },
    gcTime: 0,
  });

/** How often the messages are read anew while they show. */
const MESSAGES_MS = 15_000;

/** The messages of a thread, newest first. */
export const messagesQuery = (id: string, threadId: string) =>
  infiniteQueryOptions({
    queryKey: keys.messages(id, threadId),
    queryFn: async ({ pageParam: cursor }) =>
      (await api.listThreadMessages({ params: { id, threadId }, query: { cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: MESSAGES_MS,
  });
