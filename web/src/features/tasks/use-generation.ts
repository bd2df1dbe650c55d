import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { GenerationSummary, Task } from "../../../../contract/endpoints/tasks.ts";
import { api } from "../../api/client.ts";
import { isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { type Choices, type Conflict, changesFor, unseenOf } from "./decisions.ts";
import { reloadTasks } from "./queries.ts";

/** What remains to be done after the tasks were generated. */
interface After {
  readonly tasks: readonly Task[];
  readonly summary: GenerationSummary;
  /** Conflicts that arose after the preview. */
  readonly undecided: readonly Conflict[];
}

/** A preview of a generation, and doing exactly that: where the estimation changed since, there is a new preview first. */
export function useGeneration(id: string, choices: Choices, onDone: () => void) {
  const queries = useQueryClient();
  const params = { id };
  const [after, setAfter] = useState<After | null>(null);
  const preview = useQuery({
    queryKey: keys.taskPreview(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      // The revision first: if something changes between the two, generating is refused instead of doing something that
      // was not shown.
      const { headers } = await api.getEstimation({ params });
      const { data } = await api.previewTasks({ params });
      return { ...data, tag: headers.get("etag") ?? "" };
    },
  });
  const decide = useMutation({
    mutationFn: async ({ summary }: After) => {
      for (const [taskId, body] of changesFor(summary.conflicts, choices)) {
        await api.updateTask({ params: { id, taskId }, body });
      }
    },
    onSuccess: onDone,
    onSettled: () => reloadTasks(queries, id),
  });
  const generate = useMutation({
    mutationFn: async () =>
      (await api.generateTasks({ params, headers: { "if-match": preview.data?.tag ?? "" } })).data,
    onSuccess: (data) => {
      void reloadTasks(queries, id);
      void queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey });
      void queries.invalidateQueries({ queryKey: keys.estimations });
      const next = { ...data, undecided: unseenOf(data.summary.conflicts, preview.data?.summary.conflicts ?? []) };
      setAfter(next);
      if (next.undecided.length === 0) decide.mutate(next);
    },
    onError: async (error) => {
      if (isRefusal(error, "revision_mismatch")) await preview.refetch();
    },
  });
  const isStale = isRefusal(generate.error, "revision_mismatch");
  return { preview, generate: { ...generate, isStale }, decide, after };
}
