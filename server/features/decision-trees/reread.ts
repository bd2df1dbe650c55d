import type { Node, Option } from "../../../contract/tree.ts";
import { findNode, findOption } from "../../../domain/tree/locate.ts";
import { presentHours } from "../../../domain/tree/present-hours.ts";
import { rollUp } from "../../../domain/tree/roll-up.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { treeBytesHere } from "../../http/in-thread.ts";
import { loadTree, presentNode, presentOption, type ReadableEstimation } from "../estimations/index.ts";

interface ReplayCall {
  readonly estimation: ReadableEstimation;
  readonly db: Queryable;
}

/**
 * Returns the answer to the replay of an edit of a node: the node, read again if it was not kept, with the current hours
 * and revision. Refuses (409) if the node no longer exists.
 */
export async function rereadNode(call: ReplayCall, kept: { readonly node?: Node }, id?: string) {
  const { tree, hours, revision } = await readNow(call);
  const found = id === undefined ? undefined : findNode(tree, id)?.node;
  return { data: { node: presentNode(kept.node ?? found ?? fail("answer_not_kept")), hours }, revision };
}

/** The same for the edit of an option. */
export async function rereadOption(call: ReplayCall, kept: { readonly option?: Option }, id?: string) {
  const { tree, hours, revision } = await readNow(call);
  const found = id === undefined ? undefined : findOption(tree, id)?.option;
  return { data: { option: presentOption(kept.option ?? found ?? fail("answer_not_kept")), hours }, revision };
}

async function readNow({ estimation, db }: ReplayCall) {
  const tree = await loadTree(db, estimation.id, treeBytesHere);
  return { tree, hours: presentHours(rollUp(tree, estimation)), revision: estimation.revision };
}
