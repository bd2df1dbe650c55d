import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Task, TaskChanges } from "../../../../contract/endpoints/tasks.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { reloadTasks } from "./queries.ts";

interface Pages {
  readonly pages: readonly { readonly tasks: readonly Task[] }[];
}

/**
 * Changing a task. Changes of one task are sent one after the other. Only the fields that the reader changed are sent, so that others' changes of the
 * others stay.
 */
export function useTaskChange(estimationId: string, taskId: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `task ${taskId}` },
    mutationFn: async (changes: TaskChanges) =>
      (await api.updateTask({ params: { id: estimationId, taskId }, body: changes })).data.task,
    onSuccess: (changed) => {
      queries.setQueriesData<Pages>(
        { queryKey: keys.tasks(estimationId) },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              tasks: page.tasks.map((task) => (task.id === changed.id ? changed : task)),
            })),
          },
      );
    },
    // Somebody may have deleted it, or generated anew.
    onError: () => reloadTasks(queries, estimationId),
  });
}
