import { infiniteQueryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** Who did what with an estimation, newest first. */
export const activityQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.activity(id),
    queryFn: async ({ pageParam: cursor }) =>
      (await api.listActivity({ params: { id }, query: { limit: limits.pageSizeInside, cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
