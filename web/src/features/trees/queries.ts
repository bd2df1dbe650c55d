import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

export const estimationQuery = (id: string) =>
  queryOptions({
    queryKey: ["estimation", id],
    queryFn: async () => (await api.getEstimation({ params: { id } })).data.estimation,
  });

/** The tree, and the revision of the estimation that it is of. */
export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: ["tree", id],
    queryFn: async () => {
      const { data, headers } = await api.getTree({ params: { id } });
      return { nodes: data.tree.nodes, etag: headers.get("etag") ?? "" };
    },
  });
