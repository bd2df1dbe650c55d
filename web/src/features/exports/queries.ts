import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Export, ItemOutcome } from "../../../../contract/endpoints/exports.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** The newest run of an estimation; null if there is none. The server has it, so it shows again after a reload. */
export const lastExportQuery = (id: string) =>
  queryOptions({
    queryKey: keys.lastExport(id),
    queryFn: async (): Promise<Export | null> =>
      (await api.listExports({ params: { id }, query: { limit: 1 } })).data.exports[0] ?? null,
  });

/** All runs that are kept, newest first. */
export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.exportHistory(id),
    queryFn: async ({ pageParam: cursor }) =>
      (await api.listExports({ params: { id }, query: { limit: 20, cursor } })).data,
    // The newest run has gone on since it was last shown.
    refetchOnMount: "always",
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** The outcome of each task. */
export const itemsQuery = ({ estimationId, id }: Export, outcome: ItemOutcome | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.exportItemList(id, outcome),
    queryFn: async ({ pageParam: cursor }) => {
      const query = { outcome: outcome && [outcome], limit: limits.pageSizeInside, cursor };
      return (await api.listExportItems({ params: { id: estimationId, exportId: id }, query })).data;
    },
    placeholderData: (before) => before,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
