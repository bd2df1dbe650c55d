import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** The invitations to teams that the reader has. */
export const myInvitationsQuery = queryOptions({
  queryKey: keys.myTeamInvitations,
  queryFn: async () => (await api.listMyTeamInvitations({ query: { limit: limits.pageSizeMax } })).data.invitations,
});

export const teamQuery = (teamId: string) =>
  queryOptions({
    queryKey: keys.team(teamId),
    queryFn: async () => (await api.getTeam({ params: { teamId } })).data.team,
  });

const paged = { initialPageParam: undefined as string | undefined };
const query = (cursor: string | undefined) => ({ limit: limits.pageSizeInside, cursor });

export const membersQuery = (teamId: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.members(teamId),
    queryFn: async ({ pageParam }) => (await api.listTeamMembers({ params: { teamId }, query: query(pageParam) })).data,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const invitationsQuery = (teamId: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.teamInvitations(teamId),
    queryFn: async ({ pageParam }) =>
      (await api.listTeamInvitations({ params: { teamId }, query: query(pageParam) })).data,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const teamSharesQuery = (teamId: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.teamShares(teamId),
    queryFn: async ({ pageParam }) => (await api.listTeamShares({ params: { teamId }, query: query(pageParam) })).data,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
