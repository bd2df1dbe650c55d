import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { Review } from "../../../../contract/endpoints/reviews.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import type { Viewed } from "../trees/marked/marked-grid.tsx";
import { reviewQuery } from "./queries.ts";

interface Marking {
  readonly optionIds: readonly string[];
  readonly viewed: boolean;
}

/** What the reviewer has viewed of the version that shows: a mark shows at once, and goes again if the service refuses it. */
export function useViewed(
  { id: reviewId, estimationId: id }: Review,
  versionId: string,
  ids: readonly string[] | null,
) {
  const queries = useQueryClient();
  const { queryKey } = reviewQuery(id, reviewId);
  // What was asked for and may not be in `ids` yet.
  const [asked, setAsked] = useState<readonly Marking[]>([]);
  const settled = useRef(new Set<Marking>());
  const request = useMutation({
    // One after the other, so that the last one counts.
    scope: { id: `viewed ${reviewId}` },
    mutationFn: async ({ optionIds, viewed }: Marking) => {
      for (let from = 0; from < optionIds.length; from += limits.viewedPerRequest) {
        const part = optionIds.slice(from, from + limits.viewedPerRequest);
        const body = { optionIds: part, viewed, versionId };
        await api.markViewed({ params: { id, reviewId }, body });
      }
    },
    onSettled: async (_data, _error, marking) => {
      settled.current.add(marking);
      if (queries.isMutating({ mutationKey: keys.viewed }) > 1) return;
      await queries.invalidateQueries({ queryKey });
      setAsked((all) => all.filter((each) => !settled.current.has(each)));
    },
    mutationKey: keys.viewed,
  });
  const { mutate } = request;
  const mark = useCallback(
    (optionIds: readonly string[], isViewed: boolean) => {
      const marking = { optionIds, viewed: isViewed };
      setAsked((all) => [...all, marking]);
      mutate(marking);
    },
    [mutate],
  );
  const viewed = useMemo<Viewed | null>(() => {
    if (ids === null) return null;
    const now = new Set(ids);
    for (const { optionIds, viewed: isViewed } of asked)
      for (const id of optionIds) isViewed ? now.add(id) : now.delete(id);
    return { ids: now, mark };
  }, [ids, asked, mark]);
  return { viewed, error: request.error };
}
