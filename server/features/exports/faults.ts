import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import { noteTokenRejected } from "../connections/index.ts";
import type { TrackerHints } from "./call.ts";
import type { Afterwards, HeldTransaction, StepContext } from "./context.ts";
import { endTurn } from "./pace-store.ts";
import type { Fault } from "./trackers/tracker-fault.ts";

/** If a tracker asks for pauses and gives no usable response for this long, the run ends; it can be resumed. */
export const PROGRESS_MS = 24 * 3_600_000;
/**
 * Calls in a row without a usable response after which a run ends; it can be resumed. With the pauses, this takes over an
 * hour.
 */
const FAULTS_MAX = 20;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 300_000;

/** The pause after this many faults in a row, in milliseconds. */
const backOffMs = (faults: number): number => Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (faults - 1));

const unreachable = (reason: string): TrackerProblem => ({
  code: "unreachable",
  message: `The tracker gave no usable response, ${FAULTS_MAX} times in a row; the last time: ${reason}.`,
  remedy: "Check the connection, then resume the export.",
});

const refused = (reason: string): TrackerProblem => ({
  code: "refused",
  message: `The tracker refuses a request that the export needs: ${reason}.`,
  remedy: "Fix the cause, then resume the export.",
});

const busy: TrackerProblem = {
  code: "busy",
  message: "The tracker has asked for pauses for a day, without giving a usable response.",
  remedy: "Check whether other programs use the same account, then resume the export.",
};

/**
 * Stores the effect of a fault on the run, and returns what follows: a pause, or the end. The caller stores the effect
 * on the ledger.
 */
export async function afterFault(
  { run: { connectionId }, tokenReadAt, tracker }: Pick<StepContext, "run" | "tokenReadAt" | "tracker">,
  { tx, run, now }: HeldTransaction,
  { fault, pause }: Pick<TrackerHints, "pause"> & { readonly fault: Fault },
): Promise<Afterwards> {
  const turn = { connectionId, exportId: run.id, now };
  if (fault.kind === "wait") {
    await endTurn(tx, turn, { pause: fault.until, grows: fault.grows, succeeded: false });
    if (now.getTime() - run.progressAt.getTime() > PROGRESS_MS) return { ended: busy };
    return { next: {}, delayMs: Math.max(0, fault.until.getTime() - now.getTime()) };
  }
  await endTurn(tx, turn, { pause, succeeded: false });
  if (fault.kind === "token_rejected") {
    await noteTokenRejected(tx, connectionId, tokenReadAt, now);
    const { code, message, remedy } = tracker.problemOf(fault);
    return { ended: { code, message, remedy: `${remedy} Then resume the export.` } };
  }
  if (fault.kind === "blocked") return { ended: { ...fault.problem } };
  // The same request would be refused again.
  if (fault.kind === "refused") return { ended: refused(fault.reason) };
  const faults = run.faults + 1;
  if (faults >= FAULTS_MAX) return { ended: unreachable(fault.reason) };
  const pauseMs = pause ? pause.getTime() - now.getTime() : 0;
  return { next: { faults }, delayMs: Math.max(backOffMs(faults), pauseMs) };
}

/** Stores the pause that a tracker asks for with a usable response. */
export async function keepPause({ tx, run, now }: HeldTransaction, { pause }: Pick<TrackerHints, "pause">) {
  if (pause) await endTurn(tx, { connectionId: run.connectionId, exportId: run.id, now }, { pause, succeeded: false });
}
