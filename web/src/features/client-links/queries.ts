import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** The links for clients of an estimation. */
export const linksQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.clientLinks(id),
    queryFn: async ({ pageParam: cursor }) =>
      (await api.listClientLinks({ params: { id }, query: { limit: limits.pageSizeInside, cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** What clients have answered by a link: at most one acceptance and 100 comments, so the first page has nearly all. */
export const answersQuery = (id: string, linkId: string) =>
  queryOptions({
    queryKey: keys.clientLinks(id, linkId),
    queryFn: async () =>
      (await api.listClientAnswers({ params: { id, linkId }, query: { limit: limits.pageSizeMax } })).data.answers,
  });
