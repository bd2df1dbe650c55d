import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
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
