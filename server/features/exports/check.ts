import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import { readInstanceState } from "../../db/instance-state.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Services } from "../../services/index.ts";
import type { ConnectionRow, ConnectionTrackers } from "../connections/index.ts";
import { presentProblem } from "./present.ts";
import type { Trackers } from "./run.ts";
import type { Problem } from "./trackers/checked.ts";
import type { Access, Call, Destination } from "./trackers/reach.ts";
import type { Tracker } from "./trackers/tracker.ts";
import { type Fault, TrackerFault } from "./trackers/tracker-fault.ts";
import { within } from "./trackers/within.ts";

/** For all requests of a check or a list, for which a user waits. */
export const ASK_SECONDS = 15;

const ASK_MS = ASK_SECONDS * 1_000;
const LATE: Fault = { kind: "unknown", reason: `no response within ${ASK_SECONDS} seconds` };

const held: TrackerProblem = {
  code: "held",
  message: "The service was restored from a backup, and sends nothing to others yet.",
  remedy: "Whoever runs the service resumes it, once the former one has ended.",
};

/** Returns the functions that ask the trackers of connections; none is asked while nothing may leave the instance. */
export function askWith(trackers: Trackers, { clock, pool }: Pick<Services, "clock" | "pool">): ConnectionTrackers {
  const isHeld = async () => (await readInstanceState(pool)).heldSince !== null;
  const list = async <L>(target: ExportTarget, ask: (tracker: Tracker, call: Call) => Promise<Found<L>>) =>
    (await isHeld()) ? { listed: [], problems: [held] } : listing(trackers[target], clock, ask);
  return {
    check: async (row, token, destination) =>
      (await isHeld())
        ? [held]
        : (await problemsOf(trackers[row.target], accessOf(row, token), destination, clock)).map(presentProblem),
    projects: (row, token, words) =>
      list(row.target, (tracker, call) => tracker.projects(accessOf(row, token), words, call)),
    issueTypes: (row, token, project) =>
      list(row.target, async (tracker, call) => ({
        listed: await tracker.issueTypes(accessOf(row, token), project, call),
        problems: [],
      })),
  };
}

const accessOf = ({ baseUrl, email }: ConnectionRow, token: string): Access => ({ baseUrl, email, token });

/** Returns the problems that a check finds; a fault of the check itself is one as well. */
export async function problemsOf(
  tracker: Tracker,
  access: Access,
  destination: Destination | null,
  clock: Clock,
): Promise<readonly Problem[]> {
  const response = await inTime(tracker, clock, (call) => tracker.check(access, destination, { writes: true }, call));
  return "problem" in response ? [response.problem] : response.result.problems;
}

/** Asks a tracker for a user who waits; returns a fault, such as no response in time, as a problem. */
async function inTime<R>(
  tracker: Tracker,
  clock: Clock,
  ask: (call: Call) => Promise<R>,
): Promise<{ readonly result: R } | { readonly problem: Problem }> {
  let isLate = false;
  const cancel = clock.after(ASK_MS, () => {
    isLate = true;
  });
  try {
    return { result: await within(clock, ASK_MS, undefined, ask) };
  } catch (error) {
    if (!(error instanceof TrackerFault)) throw error;
    return { problem: tracker.problemOf(isLate ? LATE : error.fault) };
  } finally {
    cancel();
  }
}

interface Found<L> {
  readonly listed: readonly L[];
  readonly problems: readonly Problem[];
}

/** Returns a list of a tracker with why it is not complete, or why there is none. */
async function listing<L>(
  tracker: Tracker,
  clock: Clock,
  list: (tracker: Tracker, call: Call) => Promise<Found<L>>,
): Promise<{ readonly listed: readonly L[]; readonly problems: readonly TrackerProblem[] }> {
  const response = await inTime(tracker, clock, (call) => list(tracker, call));
  return "problem" in response
    ? { listed: [], problems: [presentProblem(response.problem)] }
    : { listed: response.result.listed, problems: response.result.problems.map(presentProblem) };
}
