import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** The tree, and the revision of the estimation that it is of. */
export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: ["tree", id],
    // The editor begins with what the server has, and keeps up with it by itself.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { data, headers } = await api.getTree({ params: { id } });
      return { nodes: data.tree.nodes, etag: headers.get("etag") ?? "" };
    },
  });
