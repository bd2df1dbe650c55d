import type { ConnectionCheck } from "../connections/index.ts";
import type { Trackers } from "./run.ts";
import { type Access, type Destination, type Problem, type Tracker, TrackerFault } from "./trackers/tracker.ts";

/** Returns what asks the tracker of a connection what prevents exports. */
export const checkWith =
  (trackers: Trackers): ConnectionCheck =>
  async ({ target, baseUrl, email }, token, destination) => {
    const access = { baseUrl, email, token };
    const problems = await problemsOf(trackers[target], access, destination);
    return problems.map(({ code, message, mend }) => ({ code, message, mend }));
  };

/** Returns the problems that a check finds; a fault of the check itself is one as well. */
export async function problemsOf(
  tracker: Tracker,
  access: Access,
  destination: Destination | null,
): Promise<readonly Problem[]> {
  try {
    return (await tracker.check(access, destination, { writes: true })).problems;
  } catch (error) {
    if (error instanceof TrackerFault) return [tracker.problemOf(error.fault)];
    throw error;
  }
}
