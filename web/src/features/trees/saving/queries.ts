import { queryOptions } from "@tanstack/react-query";
import { within } from "../../../api/failure.ts";
import { estimationQuery } from "../../estimations/queries.ts";
import { openedTree, openTree } from "./open-trees.ts";

/** What a reader waits for before they are told that something is wrong. */
const FIRST_MS = 20_000;

/** The estimation as it is edited: it follows the server by itself. */
export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: ["tree", id],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    initialData: () => openedTree(id),
    queryFn: ({ client }) =>
      within(
        FIRST_MS,
        openTree(id, () => client.ensureQueryData(estimationQuery(id))),
      ),
  });
