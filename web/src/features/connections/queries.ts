import { infiniteQueryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";

export const connectionsQuery = infiniteQueryOptions({
  queryKey: ["connections"],
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listConnections({ query: { limit: limits.pageSizeMax, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});
