import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { freshIfAhead } from "../../api/ahead.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import type { ListSearch } from "./list-search.ts";

const PAGE = 50;

export const listQuery = ({ hide: _, ...search }: ListSearch) =>
  infiniteQueryOptions({
    queryKey: keys.estimationList(search),
    queryFn: async ({ pageParam: cursor }) => {
      const { status, access, tag, ...others } = search;
      const filters = { status: status?.slice(), access: access?.slice(), tag: tag?.slice() };
      return (await api.listEstimations({ query: { ...others, ...filters, limit: PAGE, cursor } })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const trashQuery = infiniteQueryOptions({
  queryKey: keys.trash,
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listEstimations({ query: { deleted: true, limit: PAGE, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

/** How the application looks to the reader. */
export const preferencesQuery = queryOptions({
  queryKey: keys.preferences,
  queryFn: async () => (await api.getPreferences()).data.preferences,
});

export const estimationQuery = (id: string) =>
  queryOptions({
    queryKey: keys.estimation(id),
    // Other pages and other people change it, so each page loads it again, and shows the known state until then.
    staleTime: freshIfAhead,
    queryFn: async () => (await api.getEstimation({ params: { id } })).data.estimation,
  });

/** Returns what a list that was loaded says of an estimation, for until it is loaded itself. */
export const listedEstimation = (client: QueryClient, id: string): Estimation | undefined =>
  client
    .getQueriesData<InfiniteData<{ readonly estimations: readonly Estimation[] }>>({ queryKey: keys.estimations })
    .flatMap(([, data]) => data?.pages.flatMap(({ estimations }) => estimations) ?? [])
    .find((one) => one.id === id);
