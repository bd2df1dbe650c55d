import { useQuery } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import { colleaguesOf } from "./colleagues.ts";

const ASKED_LAST = 20;
/** So many of the reader's newest teams are looked at, and so many members of each: only a few people are proposed. */
const TEAMS = 4;
const MEMBERS = 10;

/**
 * The people whom the reader works with, without those who are asked for a review already unless `isAsked`; none until they are
 * known, or where that fails.
 */
export function useColleagues(id: string, isAsked = false) {
  const userId = useSession()?.userId ?? "";
  const query = useQuery({
    queryKey: keys.colleagues(id),
    queryFn: async () => {
      const [asked, shared, here, members] = await Promise.all([
        api.listMyReviews({ query: { role: "requester", limit: ASKED_LAST } }),
        // Only the owner may know them.
        api.listShares({ params: { id } }).catch(() => null),
        api.listReviews({ params: { id }, query: { limit: limits.pageSizeMax } }),
        // The reader may have just left a team.
        membersOfTeams().catch(() => []),
      ]);
      const shares = shared?.data.shares ?? [];
      return { asked: asked.data.reviews, shares, members, reviews: here.data.reviews };
    },
    retry: false,
  });
  if (!query.data) return [];
  const { asked, shares, members, reviews } = query.data;
  return colleaguesOf(asked, shares, members, isAsked ? [] : reviews, userId);
}

async function membersOfTeams() {
  const { teams } = (await api.listTeams({ query: { limit: TEAMS } })).data;
  const lists = teams.map(({ id: teamId }) => api.listTeamMembers({ params: { teamId }, query: { limit: MEMBERS } }));
  return (await Promise.all(lists)).flatMap(({ data }) => data.members);
}
