import { queryOptions } from "@tanstack/react-query";
import { estimationQuery } from "../estimations/queries.ts";
import { openedTree, openTree } from "./open-trees.ts";

/** The estimation as it is edited: it follows the server by itself. */
export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: ["tree", id],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    initialData: () => openedTree(id),
    queryFn: ({ client }) => openTree(id, () => client.ensureQueryData(estimationQuery(id))),
  });
