import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

export const meQuery = queryOptions({
  queryKey: keys.profile,
  queryFn: async () => (await api.getCurrentUser()).data.user,
});

export const sessionsQuery = infiniteQueryOptions({
  queryKey: keys.sessions,
  queryFn: async ({ pageParam: cursor }) => (await api.listSessions({ query: { cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

export const auditQuery = infiniteQueryOptions({
  queryKey: keys.auditLog,
  queryFn: async ({ pageParam: cursor }) => (await api.listAuditEvents({ query: { cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});
