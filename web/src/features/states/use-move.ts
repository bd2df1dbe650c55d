import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Estimation } from "../../../../contract/estimations.ts";
import type { Move } from "../../../../contract/statuses.ts";
import { api } from "../../api/client.ts";
import { isRefusal } from "../../api/failure.ts";
import { estimationQuery } from "../estimations/queries.ts";

const CALLS = {
  submit: api.submitEstimation,
  "mark-tasks-generated": api.markTasksGenerated,
  "mark-exported": api.markExported,
  reopen: api.reopenEstimation,
} as const satisfies Record<Move, unknown>;

/** One thing that keeps a tree from being submitted. */
export interface ShownProblem {
  readonly nodeId: string | null;
  readonly optionId: string | null;
  readonly mend: string;
}

const problemsKey = (id: string) => ["problems", id];

/** The problems from the last refusal to submit; they stay while the reader goes from page to page to fix them. */
export const useProblems = (id: string) =>
  useQuery<readonly ShownProblem[] | null>({ queryKey: problemsKey(id), queryFn: () => null, enabled: false }).data ??
  null;

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
    onMutate: () => queries.setQueryData(problemsKey(id), null),
    onSuccess: (moved) => {
      queries.setQueryData(estimationQuery(id).queryKey, moved);
      void queries.invalidateQueries({ queryKey: ["estimations"] });
    },
    // It counts as failed once the present state is shown, so that a retry is about what the reader sees.
    onError: async (error) => {
      if (isRefusal(error, "tree_incomplete")) {
        queries.setQueryData(problemsKey(id), error.body.message === "tree_incomplete" ? error.body.errors : []);
        return;
      }
      await Promise.all([queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey }), catchUp()]);
    },
  });
}
