import type { states } from "../../../contract/endpoints/states.ts";
import type { ActivityKind } from "../../../contract/values/activity-kinds.ts";
import type { Move } from "../../../contract/values/statuses.ts";
import type { Problem } from "../../../contract/values/tree.ts";
import { submissionProblems } from "../../../domain/tree/check/problems.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import {
  type ContentCall,
  type LockedEstimation,
  loadTree,
  presentEstimation,
  type ReadableEstimation,
  recordActivity,
  setStatus,
} from "../estimations/index.ts";
import { pinVersion } from "../versions/index.ts";
import { demandMove, makeMove } from "./move.ts";

/**
 * Submits a draft, and makes a version of it. Refuses (409) any other state, an incomplete tree with a row for each of its
 * problems, and a version beyond the limits.
 */
async function submit(
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

/** Moving an estimation from one state to another. */
export function stateRoutes(services: Services): Handlers<typeof states, ReadableEstimation> {
  return {
    async submitEstimation(call) {
      const submitted = await submit(services, call, call.actor.userId);
      await recordActivity(call, "state.submitted");
      return shown(submitted);
    },
    markTasksGenerated: (call) => moved(call, "mark-tasks-generated", "state.tasks_generated"),
    markExported: (call) => moved(call, "mark-exported", "state.exported"),
    reopenEstimation: (call) => moved(call, "reopen", "state.reopened"),
  };
}

async function moved(call: ContentCall, move: Move, kind: ActivityKind) {
  const estimation = await makeMove(call, move);
  await recordActivity(call, kind);
  return shown(estimation);
}

const shown = (row: LockedEstimation) => ({ data: { estimation: presentEstimation(row) }, revision: row.revision });
