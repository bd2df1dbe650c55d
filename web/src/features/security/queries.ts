import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

export const meQuery = queryOptions({
  queryKey: ["me", "profile"],
  queryFn: async () => (await api.getCurrentUser()).data.user,
});

export const auditQuery = infiniteQueryOptions({
  queryKey: ["audit-log"],
  queryFn: async ({ pageParam: cursor }) => (await api.listAuditEvents({ query: { cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});
