import type { Problem } from "../../../contract/tree.ts";
import { submissionProblems } from "../../../domain/tree/problems.ts";
import { fail } from "../../http/failure.ts";
import { treeBytesHere } from "../../http/in-thread.ts";
import { type ContentCall, type LockedEstimation, loadTree, setStatus } from "../estimations/index.ts";
import { demandMove } from "./move.ts";

/** Submits a draft. Refuses (409) any other state, and an incomplete tree with a row for each of its problems. */
export async function submit(call: ContentCall): Promise<LockedEstimation> {
  const to = demandMove(call, "submit");
  const problems = submissionProblems(await loadTree(call.db, call.estimation.id, treeBytesHere));
  if (problems.length > 0) fail("tree_incomplete", { faults: problems.map(rowOf) });
  return setStatus(call, to);
}

const rowOf = (problem: Problem) => ({ ...problem, in: "tree", code: "incomplete", message: problem.mend }) as const;
