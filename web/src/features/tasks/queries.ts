import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import type { Task } from "../../../../contract/endpoints/tasks.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

export type TaskFilter = Task["status"] | undefined;

/** By how many milliseconds the server's clock is ahead of the browser's, as its last list of tasks said; a second or less too few. */
let aheadMs = 0;

/** Returns the server's time: what is done cannot be done in its future. */
export const serverNow = (): Date => new Date(Date.now() + aheadMs);

/** The tasks of an estimation, in order. */
export const tasksQuery = (id: string, status: TaskFilter) =>
  infiniteQueryOptions({
    queryKey: keys.taskList(id, status),
    queryFn: async ({ pageParam: cursor }) => {
      const query = { status: status && [status], limit: limits.pageSizeInside, cursor };
      const { data, headers } = await api.listTasks({ params: { id }, query });
      const at = Date.parse(headers.get("date") ?? "");
      if (Number.isFinite(at)) aheadMs = at - Date.now();
      return data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const reloadTasks = (queries: QueryClient, id: string) =>
  queries.invalidateQueries({ queryKey: keys.tasks(id) });
