import { queryOptions } from "@tanstack/react-query";
import { livePages } from "./live-pages.ts";
import { loadTree } from "./requests.ts";

/** The tree, and the other pages that are open, whose drafts are theirs. */
export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: ["tree", id],
    // The editor begins with what the server has, and keeps up with it by itself.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [loaded, live] = await Promise.all([loadTree(id), livePages()]);
      return { loaded, live };
    },
  });
