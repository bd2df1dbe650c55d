import type { ActivityKind } from "../../../contract/activity-kinds.ts";
import type { states } from "../../../contract/states.ts";
import type { Move } from "../../../contract/statuses.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import {
  type ContentCall,
  type LockedEstimation,
  presentEstimation,
  type ReadableEstimation,
  recordActivity,
} from "../estimations/index.ts";
import { makeMove } from "./move.ts";
import { submit } from "./submit.ts";

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
