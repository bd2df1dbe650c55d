import { infiniteQueryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

export const keysQuery = infiniteQueryOptions({
  queryKey: keys.apiKeys,
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listApiKeys({ query: { limit: limits.pageSizeMax, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});
