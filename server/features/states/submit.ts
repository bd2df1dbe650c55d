import type { Problem } from "../../../contract/tree.ts";
import { submissionProblems } from "../../../domain/tree/problems.ts";
import { fail } from "../../http/failure.ts";
import type { Services } from "../../services.ts";
import { type ContentCall, type LockedEstimation, loadTree, setStatus } from "../estimations/index.ts";
import { pinVersion } from "../versions/index.ts";
import { demandMove } from "./move.ts";

/**
 * Submits a draft, and makes a version of it. Refuses (409) any other state, an incomplete tree with a row for each of its
 * problems, and a version beyond the limits.
 */
export async function submit(
  services: Pick<Services, "quotas" | "ids">,
  call: ContentCall,
  authorId: string,
): Promise<LockedEstimation> {
  const to = demandMove(call, "submit");
  const tree = await loadTree(call.db, call.estimation.id);
  const problems = submissionProblems(tree);
  if (problems.length > 0) fail("tree_incomplete", { faults: problems.map(rowOf) });
  await pinVersion(services, call, tree, { cause: "submit", authorId });
  return setStatus(call, to);
}

const rowOf = (problem: Problem) => ({ ...problem, in: "tree", code: "incomplete", message: problem.remedy }) as const;
