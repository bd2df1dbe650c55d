import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TeamInvitation } from "../../../../contract/endpoints/teams.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

interface Answer {
  readonly invitation: TeamInvitation;
  readonly what: "accept" | "decline";
}

/** Accepts or declines an invitation to a team. */
export function useAnswer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ invitation: { teamId }, what }: Answer) => {
      if (what === "accept") await api.acceptTeamInvitation({ params: { teamId } });
      else await api.declineTeamInvitation({ params: { teamId } });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keys.teams }),
        queries.invalidateQueries({ queryKey: keys.estimations }),
        queries.invalidateQueries({ queryKey: keys.waitingReviews }),
      ]),
  });
}
