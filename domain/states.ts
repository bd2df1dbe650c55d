import type { EstimationFields } from "../contract/endpoints/estimations.ts";
import { type EstimationStatus, type Move, moves } from "../contract/values/statuses.ts";

interface Rule {
  readonly from: readonly EstimationStatus[];
  readonly to: EstimationStatus;
}

const RULES: Readonly<Record<Move, Rule>> = {
  submit: { from: ["draft"], to: "submitted" },
  "mark-tasks-generated": { from: ["submitted"], to: "tasks_generated" },
  "mark-exported": { from: ["tasks_generated"], to: "exported" },
  reopen: { from: ["submitted", "tasks_generated", "exported"], to: "draft" },
};

/** Returns the state that a transition leads to; null if it cannot begin in `status`. */
export function stateAfter(status: EstimationStatus, move: Move): EstimationStatus | null {
  const { from, to } = RULES[move];
  return from.includes(status) ? to : null;
}

/** Returns the transitions that begin in `status`. */
export const movesFrom = (status: EstimationStatus): Move[] =>
  moves.filter((move) => stateAfter(status, move) !== null);

/** Returns whether the content of an estimation in this state cannot be changed. */
export const isLocked = (status: EstimationStatus): boolean => status !== "draft";

/** Fields that can be changed in every state. */
const FREE: readonly (keyof EstimationFields)[] = ["tags"];

/** Returns the names of those fields that cannot be changed in a locked state. */
export const lockedFields = (fields: Partial<EstimationFields>): (keyof EstimationFields)[] =>
  (Object.keys(fields) as (keyof EstimationFields)[]).filter((name) => !FREE.includes(name));
