import { queryOptions } from "@tanstack/react-query";
import { livePages } from "./live-pages.ts";
import { loadTree } from "./requests.ts";

/** The tree, and the other open pages, which keep their own drafts. */
export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: ["tree", id],
    // The editor starts with the server's state, and then follows it by itself.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [loaded, live] = await Promise.all([loadTree(id), livePages()]);
      return { loaded, live };
    },
  });
