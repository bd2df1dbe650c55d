import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Move } from "../../../../contract/values/statuses.ts";
import { api } from "../../api/client.ts";
import { isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { estimationQuery } from "../estimations/queries.ts";

const CALLS = {
  submit: api.submitEstimation,
  "mark-tasks-generated": api.markTasksGenerated,
  "mark-exported": api.markExported,
  reopen: api.reopenEstimation,
} as const satisfies Record<Move, unknown>;

/** Whether the last try to submit was refused; it stays so while the reader goes from page to page to fix what is missing. */
export const useIsRefused = (id: string): boolean =>
  useQuery({ queryKey: keys.refused(id), queryFn: () => false, enabled: false }).data ?? false;

/**
 * Moves an estimation to another state. `revision` returns the one that the reader looks at, once it is saved: a move of
 * another one is refused, and `catchUp` then loads the present one.
 */
export function useMove({ id }: Estimation, revision: () => Promise<string>, catchUp: () => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (move: Move) => {
      const headers = { "if-match": await revision() };
      return (await CALLS[move]({ params: { id }, headers })).data.estimation;
    },
    onMutate: () => queries.setQueryData(keys.refused(id), false),
    onSuccess: (moved) => {
      queries.setQueryData(estimationQuery(id).queryKey, moved);
      void queries.invalidateQueries({ queryKey: keys.estimations });
    },
    // It counts as failed once the present state is shown, so that a retry is about what the reader sees.
    onError: async (error) => {
      if (isRefusal(error, "tree_incomplete")) {
        queries.setQueryData(keys.refused(id), true);
        return;
      }
      await Promise.all([queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey }), catchUp()]);
    },
  });
}
