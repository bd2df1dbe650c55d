import type { Problem, ProblemCode } from "./checked.ts";
import type { Fault } from "./tracker-fault.ts";

/** Returns a function that makes a problem of one kind; its message may have a detail. */
export const problem =
  (code: ProblemCode, message: (detail: string) => string, remedy: string) =>
  (detail = ""): Problem => ({ code, message: message(detail), remedy });

type Problems = Readonly<Record<"token_rejected" | "busy" | "unreachable", (detail?: string) => Problem>>;

/** Returns a fault of a check as a problem, for the person who asked for the check. */
export function problemOf(fault: Fault, problems: Problems): Problem {
  switch (fault.kind) {
    case "token_rejected":
      return problems.token_rejected();
    case "blocked":
      return fault.problem;
    case "wait":
      return problems.busy(fault.until.toISOString());
    default:
      return problems.unreachable(fault.reason);
  }
}
