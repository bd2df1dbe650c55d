import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { Export } from "../../../../contract/endpoints/exports.ts";
import { api } from "../../api/client.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { reloadTasks } from "../tasks/queries.ts";
import { lastExportQuery } from "./queries.ts";

/** How long to wait until a stream is asked for again that was refused or cut off: a user may have only a few at a time. */
const AGAIN_MS = 2_000;

/**
 * The newest run of an estimation, followed by the stream of its progress while it is under way and the page is in sight; when it
 * ends, tasks and state are read again.
 */
export function useWatchedExport(id: string) {
  const queries = useQueryClient();
  const query = useQuery(lastExportQuery(id));
  const runId = query.data?.endedAt === null ? query.data.id : null;
  const isInSight = useSyncExternalStore(watchSight, () => document.visibilityState === "visible");
  useEffect(() => {
    if (runId === null || !isInSight) return;
    const leaving = new AbortController();
    void follow(queries, id, runId, leaving.signal);
    return () => leaving.abort();
  }, [queries, id, runId, isInSight]);
  useEffect(() => {
    if (runId === null) return;
    return () => {
      void reloadTasks(queries, id);
      void queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey });
    };
  }, [queries, id, runId]);
  return query;
}

function watchSight(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

/** Shows each state of a run as it arrives. Where the stream is refused or ends early, the run is read, and the stream asked for again. */
async function follow(queries: QueryClient, id: string, exportId: string, signal: AbortSignal): Promise<void> {
  const { queryKey } = lastExportQuery(id);
  while (!signal.aborted) {
    let last: Export | null = null;
    try {
      const { stream } = await api.watchExport({ params: { id, exportId }, signal });
      for await (last of stream) {
        if (signal.aborted) return;
        queries.setQueryData(queryKey, last);
      }
    } catch {
      // Read below.
    }
    if (signal.aborted || (last !== null && last.endedAt !== null)) return;
    await queries.invalidateQueries({ queryKey });
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
