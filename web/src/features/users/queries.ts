import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** People whose name or address has this text, as far as the reader may find them. */
export const usersQuery = (q: string) =>
  queryOptions({
    queryKey: keys.users(q),
    queryFn: async () => (await api.searchUsers({ query: { q } })).data.users,
    staleTime: 60_000,
    retry: false,
  });

type Found = Awaited<ReturnType<NonNullable<ReturnType<typeof usersQuery>["queryFn"]>>>;
export type FoundUser = Found[number];
