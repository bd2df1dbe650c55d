import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { api } from "../../api/client.ts";
import type { ListSearch } from "./list-search.ts";

const PAGE = 50;

export const listQuery = (search: ListSearch) =>
  infiniteQueryOptions({
    queryKey: ["estimations", search],
    queryFn: async ({ pageParam: cursor }) => {
      const { status, access, tag, ...others } = search;
      const filters = { status: status?.slice(), access: access?.slice(), tag: tag?.slice() };
      return (await api.listEstimations({ query: { ...others, ...filters, limit: PAGE, cursor } })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const trashQuery = infiniteQueryOptions({
  queryKey: ["estimations", "deleted"],
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listEstimations({ query: { deleted: true, limit: PAGE, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

export const estimationQuery = (id: string) =>
  queryOptions({
    queryKey: ["estimation", id],
    // Other pages and other people change it, so each page loads it again, and shows the known state until then.
    staleTime: 0,
    queryFn: async () => (await api.getEstimation({ params: { id } })).data.estimation,
  });

/** Returns what a list that was loaded says of an estimation, for until it is loaded itself. */
export const listedEstimation = (client: QueryClient, id: string): Estimation | undefined =>
  client
    .getQueriesData<InfiniteData<{ readonly estimations: readonly Estimation[] }>>({ queryKey: ["estimations"] })
    .flatMap(([, data]) => data?.pages.flatMap(({ estimations }) => estimations) ?? [])
    .find((one) => one.id === id);
