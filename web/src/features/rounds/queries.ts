import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import type { Round, RoundOption } from "../../../../contract/values/round.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** How often a page looks whether others have answered: whoever is asked does not hear of it, as that tells who is here. */
const LOOK_MS = 5_000;

/** A round: its people, how many of them have answered, and the reader's own part. */
export const roundQuery = (id: string, roundId: string) =>
  queryOptions({
    queryKey: keys.rounds(id, roundId),
    queryFn: async () => (await api.getRound({ params: { id, roundId } })).data.round,
    refetchInterval: LOOK_MS,
  });

/** All options of a round: what they are, what the reader said, and once it is revealed what everybody did. */
export const roundOptionsQuery = (id: string, roundId: string, status: Round["status"]) =>
  queryOptions({
    queryKey: keys.rounds(id, roundId, status),
    queryFn: async () => {
      const options: RoundOption[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: limits.pageSizeMax, cursor };
        const { data } = await api.listRoundOptions({ params: { id, roundId }, query });
        options.push(...data.options);
        cursor = data.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return options;
    },
  });

/** The tree that is estimated, which never changes. */
export const roundTreeQuery = (id: string, versionId: string) =>
  queryOptions({
    queryKey: keys.rounds(id, versionId),
    queryFn: async () => (await api.getVersion({ params: { id, versionId } })).data.version.content.tree as Tree,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The rounds of an estimation, newest first. */
export const roundsOfQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.rounds(id, "list"),
    queryFn: async ({ pageParam: cursor }) => (await api.listRounds({ params: { id }, query: { cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** Options whose hours are from a round. */
export const adoptedQuery = (id: string) =>
  queryOptions({
    queryKey: keys.rounds(id, "adopted"),
    queryFn: async () => (await api.listAdoptedHours({ params: { id } })).data.adopted,
    staleTime: 60_000,
  });

/** The tree as it is now, with the tag of its revision: what a new round is about. */
export const currentTreeQuery = (id: string) =>
  queryOptions({
    queryKey: keys.rounds(id, "tree"),
    gcTime: 0,
    queryFn: async () => {
      const { data, headers } = await api.getTree({ params: { id } });
      return { tree: data.tree as Tree, etag: headers.get("etag") ?? "" };
    },
  });

/** Loads all that is known of the rounds of an estimation again. */
export const reloadRounds = (queries: QueryClient, id: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: keys.rounds(id) });
