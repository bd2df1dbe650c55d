import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { formatCount } from "../../ui/numbers/format.ts";

const LOOK_MS = 60_000;

/** How many reviews, invitations and rounds wait for the reader; nothing for none. */
export function WaitingCount({ text }: { readonly text: (count: number) => string }) {
  const query = useQuery({
    queryKey: keys.waitingReviews,
    queryFn: async () => {
      const { reviews, estimationInvitations, teamInvitations, rounds } = (await api.countWaiting()).data.waiting;
      return reviews + estimationInvitations + teamInvitations + rounds;
    },
    refetchInterval: LOOK_MS,
    retry: false,
  });
  const count = query.data ?? 0;
  return count === 0 ? null : (
    <>
      {" "}
      <span>{formatCount(count)}</span>
      <span className="unseen"> {text(count)}</span>
    </>
  );
}
