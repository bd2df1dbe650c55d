import type { TaskAccuracy } from "../../../../contract/endpoints/accuracy.ts";

/** The share of tasks that P10 to P90 should hold. */
const STATED = 0.8;

/** What finished tasks say about the ranges. */
export type Verdict = "unknown" | "narrow" | "right" | "wide";

/** Returns what is said about ranges: only what chance does not explain, with 95 % certainty, is called wrong. */
export function verdictOf({ held, low, high }: TaskAccuracy["ranges"]): Verdict {
  if (held === null || low === null || high === null) return "unknown";
  if (high < STATED) return "narrow";
  return low > STATED ? "wide" : "right";
}

/** What finished tasks say about the hours: whether the work takes longer, or less long, than estimated. */
export type Bias = "unknown" | "longer" | "shorter" | "right";

export function biasOf({ low, high }: TaskAccuracy["ratio"]): Bias {
  if (low === null || high === null) return "unknown";
  if (low > 1) return "longer";
  return high < 1 ? "shorter" : "right";
}
