import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** The shares of an estimation. */
export const sharesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.sharesOf(id),
    queryFn: async ({ pageParam: cursor }) =>
      (await api.listShares({ params: { id }, query: { limit: limits.pageSizeInside, cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** A person or a team to share with. */
export type Whom = { readonly email: string } | { readonly teamId: string };

/** Returns the share of an estimation with somebody as it is now, however many there are; undefined where there is none. */
export async function findShare(id: string, whom: Whom): Promise<Share | undefined> {
  const address = "email" in whom ? whom.email.trim().toLowerCase() : null;
  const isWith = ({ email, team }: Share) =>
    "teamId" in whom ? team?.id === whom.teamId : email?.toLowerCase() === address;
  let cursor: string | undefined;
  do {
    const { data } = await api.listShares({ params: { id }, query: { limit: limits.pageSizeInside, cursor } });
    const found = data.shares.find(isWith);
    if (found) return found;
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The invitations to the reader, and what the reader has accepted. */
export const mySharesQuery = infiniteQueryOptions({
  queryKey: keys.myShares,
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listMyShares({ query: { limit: limits.pageSizeMax, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

/** Those of them that wait for an answer. */
export const pendingSharesQuery = infiniteQueryOptions({
  queryKey: keys.pendingShares,
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listMyShares({ query: { status: ["pending"], limit: limits.pageSizeMax, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});
