import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Export, ItemOutcome } from "../../../../contract/endpoints/exports.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";

/** The newest run of an estimation; null if there is none. The server has it, so it shows again after a reload. */
export const lastExportQuery = (id: string) =>
  queryOptions({
    queryKey: ["exports", id],
    queryFn: async (): Promise<Export | null> =>
      (await api.listExports({ params: { id }, query: { limit: 1 } })).data.exports[0] ?? null,
  });

/** The outcome of each task. */
export const itemsQuery = ({ estimationId, id }: Export, outcome: ItemOutcome | undefined) =>
  infiniteQueryOptions({
    queryKey: ["export-items", id, { outcome }],
    queryFn: async ({ pageParam: cursor }) => {
      const query = { outcome: outcome && [outcome], limit: limits.pageSizeInside, cursor };
      return (await api.listExportItems({ params: { id: estimationId, exportId: id }, query })).data;
    },
    placeholderData: (before) => before,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
