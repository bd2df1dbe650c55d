import type { Move } from "../../../contract/values/statuses.ts";
import { movesFrom, stateAfter } from "../../../domain/states.ts";
import { fail } from "../../http/failure.ts";
import { type LockedEstimation, type StateCall, setStatus } from "../estimations/index.ts";

/** Makes a transition. Refuses (409) one that the state does not allow. */
export async function makeMove(call: StateCall, move: Move): Promise<LockedEstimation> {
  return setStatus(call, demandMove(call, move));
}

/** Makes a transition if the state allows it; otherwise the state stays. */
export async function makeMatchingMove(call: StateCall, move: Move): Promise<LockedEstimation> {
  const to = stateAfter(call.estimation.status, move);
  return to === null ? call.estimation : setStatus(call, to);
}

/** Returns the state that a transition leads to. Refuses (409) one that the state does not allow. */
export function demandMove({ estimation: { status } }: Pick<StateCall, "estimation">, move: Move) {
  return stateAfter(status, move) ?? fail("invalid_transition", { details: { status, allowed: movesFrom(status) } });
}
