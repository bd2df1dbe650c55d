import type { states } from "../../../contract/states.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import { type LockedEstimation, presentEstimation, type ReadableEstimation } from "../estimations/index.ts";
import { makeMove } from "./move.ts";
import { submit } from "./submit.ts";

/** Moving an estimation from one state to another. */
export function stateRoutes(services: Services): Handlers<typeof states, ReadableEstimation> {
  return {
    submitEstimation: async (call) => shown(await submit(services, call, call.actor.userId)),
    markTasksGenerated: async (call) => shown(await makeMove(call, "mark-tasks-generated")),
    markExported: async (call) => shown(await makeMove(call, "mark-exported")),
    reopenEstimation: async (call) => shown(await makeMove(call, "reopen")),
  };
}

const shown = (row: LockedEstimation) => ({ data: { estimation: presentEstimation(row) }, revision: row.revision });
