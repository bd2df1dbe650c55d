import { useQuery } from "@tanstack/react-query";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import { limits } from "../../../../../contract/limits.ts";
import { api } from "../../../api/client.ts";
import { keys } from "../../../api/keys.ts";
import type { Margin } from "./load-margin.ts";

const LOOK_MS = 30_000;

export const EMPTY_MARGIN: Margin = { threads: [], messages: [], open: {} };

/** What was said about the lines of an estimation, in reviews and in the messages of its current thread. */
export function useMargin({ id, reviewState }: Estimation): Margin {
  const hasReviews = reviewState !== "none";
  const queryKey = keys.margin(id, hasReviews);
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ client }) => {
      const first = (await api.listOpenMessages({ params: { id }, query: { limit: limits.pageSizeInside } })).data;
      // Where nobody has said anything, the rest is not even loaded.
      if (!hasReviews && first.messages.length === 0) return EMPTY_MARGIN;
      const { loadMargin } = await import("./load-margin.ts");
      return await loadMargin(client, id, { hasReviews, first, former: client.getQueryData(queryKey) });
    },
    refetchInterval: LOOK_MS,
    retry: false,
  });
  return data ?? EMPTY_MARGIN;
}
