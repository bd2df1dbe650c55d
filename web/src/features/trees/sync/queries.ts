import { queryOptions } from "@tanstack/react-query";
import { AHEAD_MS, type FirstQuery } from "../../../api/ahead.ts";
import { within } from "../../../api/failure.ts";
import { keys } from "../../../api/keys.ts";
import { estimationQuery } from "../../estimations/queries.ts";
import { openedTree, openTree } from "./open-trees.ts";
import { loadTree } from "./requests.ts";

/** What a reader waits for before they are told that something is wrong. */
const FIRST_MS = 20_000;

/** The tree as it was loaded to be opened, perhaps by a link to it: opening it has effects, loading it has none. */
const loadedTreeQuery = (id: string) =>
  queryOptions({
    queryKey: keys.loadedTree(id),
    staleTime: AHEAD_MS,
    gcTime: AHEAD_MS,
    // Trying again must not wait for a request that hangs.
    queryFn: () => within(FIRST_MS, loadTree(id)),
  });

/** What the page of a tree loads first; of one that is open already only what may have changed. */
export const firstOfTree = (id: string): readonly FirstQuery[] =>
  openedTree(id) ? [estimationQuery(id)] : [estimationQuery(id), loadedTreeQuery(id)];

/** The estimation as it is edited: it follows the server by itself. */
export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: keys.tree(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    initialData: () => openedTree(id),
    queryFn: ({ client }) =>
      within(
        FIRST_MS,
        openTree(
          id,
          () => client.ensureQueryData(estimationQuery(id)),
          () => client.fetchQuery(loadedTreeQuery(id)),
        ),
      ),
  });
