import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { estimationQuery } from "../estimations/queries.ts";
import { reloadTasks } from "../tasks/queries.ts";
import { lastExportQuery } from "./queries.ts";

/**
 * The interval at which a running export is read. A stream of its progress could not be closed at once, and a user may
 * have only a few.
 */
const LOOK_MS = 1_500;

/** The newest run of an estimation, followed while it is under way; when it ends, tasks and state are read again. */
export function useWatchedExport(id: string) {
  const queries = useQueryClient();
  const query = useQuery({
    ...lastExportQuery(id),
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? LOOK_MS : false),
  });
  const isUnderWay = query.data?.endedAt === null;
  useEffect(() => {
    if (!isUnderWay) return;
    return () => {
      void reloadTasks(queries, id);
      void queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey });
    };
  }, [id, isUnderWay, queries]);
  return query;
}
