import type { TrackerProblem } from "../../../contract/tracker-problems.ts";
import type { ConnectionRow, ConnectionTrackers } from "../connections/index.ts";
import { presentProblem } from "./present.ts";
import type { Trackers } from "./run.ts";
import type { Problem } from "./trackers/checked.ts";
import type { Access, Destination } from "./trackers/reach.ts";
import type { Tracker } from "./trackers/tracker.ts";
import { TrackerFault } from "./trackers/tracker-fault.ts";

/** Returns the functions that ask the trackers of connections. */
export const askWith = (trackers: Trackers): ConnectionTrackers => ({
  check: async (row, token, destination) =>
    (await problemsOf(trackers[row.target], accessOf(row, token), destination)).map(presentProblem),
  projects: (row, token, words) =>
    listing(trackers[row.target], (tracker) => tracker.projects(accessOf(row, token), words)),
  issueTypes: (row, token, project) =>
    listing(trackers[row.target], (tracker) => tracker.issueTypes(accessOf(row, token), project)),
});

const accessOf = ({ baseUrl, email }: ConnectionRow, token: string): Access => ({ baseUrl, email, token });

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

/** Returns a list of a tracker, or why there is none. */
async function listing<L>(
  tracker: Tracker,
  list: (tracker: Tracker) => Promise<readonly L[]>,
): Promise<{ readonly listed: readonly L[]; readonly problems: readonly TrackerProblem[] }> {
  try {
    return { listed: await list(tracker), problems: [] };
  } catch (error) {
    if (error instanceof TrackerFault)
      return { listed: [], problems: [presentProblem(tracker.problemOf(error.fault))] };
    throw error;
  }
}
