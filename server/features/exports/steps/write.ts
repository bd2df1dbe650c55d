import { FRESH_MS } from "../../../../domain/exports/ledger.ts";
import { expectedEnd } from "../../../../domain/exports/pace.ts";
import type { Queryable } from "../../../db/database.ts";
import { monotonicMs } from "../../../platform/clock.ts";
import { callTracker, type TrackerResult } from "../call.ts";
import { addStep, finishStep, type HeldTransaction, inStep, type StepContext } from "../context.ts";
import { afterFault } from "../faults.ts";
import { writesLeft } from "../item-store.ts";
import { endTurn, takeTurnToWrite, WRITE_SECONDS } from "../pace-store.ts";
import { isTaken, type RunRow, updateRun } from "../store.ts";
import type { Call } from "../trackers/reach.ts";
import type { Fault } from "../trackers/tracker-fault.ts";
import { within } from "../trackers/within.ts";

/** A write to the tracker, as a step of a run. `I` is what was stored before it. */
interface Write<I, R> {
  /** Stores what is about to be sent; null: there is nothing to send any more. */
  intend(held: HeldTransaction): Promise<I | null>;
  send(intent: I, call: Call): Promise<R>;
  /** Stores what is true even if another job works on the run by now. */
  know?(tx: Queryable, now: Date, intent: I, result: TrackerResult<R>): Promise<void>;
  /** Stores the effect on the items. Returns the changes of the run. */
  conclude(held: HeldTransaction, intent: I, result: R): Promise<Partial<RunRow>>;
  /** The changes of the run if the response was lost. */
  readonly onLoss?: Partial<RunRow>;
  /** The tracker refused it for good. By default that is a fault like any other. */
  refused?(held: HeldTransaction, intent: I, reason: string): Promise<void>;
}

/** The process is to stop, or the request would leave later than `FRESH_MS` after its intent was stored. */
const notLeft: Fault = { kind: "not_sent", reason: "the process was stopped or paused" };

/**
 * Does a write: waits for its turn at the pace of the connection, stores the intent, sends once, and stores the outcome with
 * the job of the next step.
 */
export async function write<I, R>(context: StepContext, work: Write<I, R>): Promise<void> {
  const { services, run, tracker } = context;
  let storedMs = monotonicMs();
  const begun = await inStep(context, async (held) => {
    const { tx, now } = held;
    const turn = { connectionId: run.connectionId, exportId: run.id, rate: tracker.pace, now };
    const taken = await takeTurnToWrite(tx, turn);
    if ("notBefore" in taken) {
      await giveBack(held, taken.notBefore);
      return null;
    }
    const left = await writesLeft(tx, held.run, tracker);
    const intent = await work.intend(held);
    storedMs = monotonicMs();
    const expectedEndAt = new Date(expectedEnd(taken.paced, tracker.pace, left, now.getTime()));
    await updateRun(tx, run.id, { expectedEndAt, updatedAt: now });
    return { intent };
  });
  if (begun === null) return;
  const { intent } = begun;
  if (intent === null) {
    const turn = { connectionId: run.connectionId, exportId: run.id };
    return finishStep(context, async ({ tx, now }) => {
      await endTurn(tx, { ...turn, now }, { succeeded: false });
      return { next: {} };
    });
  }
  // A process that was suspended finds here that another one has continued: its own clock may not show it.
  const isHeld = await isTaken(services.pool, run.id, context.lease).catch(() => false);
  const leaves = isHeld && !context.signal.aborted && monotonicMs() - storedMs < FRESH_MS;
  const result: TrackerResult<R> = leaves
    ? await callTracker(context, (call) =>
        within(services.clock, WRITE_SECONDS * 1_000, call, (timed) => work.send(intent, timed)),
      )
    : { fault: notLeft, pause: undefined, at: undefined };
  await finishStep(
    context,
    async (held) => {
      const turn = { connectionId: run.connectionId, exportId: run.id, now: held.now };
      const { fault, pause, at } = result;
      if (fault?.kind === "refused" && work.refused) {
        await endTurn(held.tx, turn, { pause, succeeded: true });
        await work.refused(held, intent, fault.reason);
        return { next: { faults: 0 } };
      }
      if (fault) {
        const after = await afterFault(context, held, { fault, pause });
        const lost = fault.kind === "unknown" ? work.onLoss : {};
        return "next" in after ? { ...after, next: { ...after.next, ...lost } } : after;
      }
      await endTurn(held.tx, turn, { pause, succeeded: true });
      const next = await work.conclude(held, intent, result.result);
      return { next: { faults: 0, ...(at ? { trackerAt: at } : {}), ...next } };
    },
    (tx, now) => work.know?.(tx, now, intent, result) ?? Promise.resolve(),
  );
}

/** Gives the run back until its turn. */
async function giveBack({ tx, run, now }: HeldTransaction, notBefore: Date): Promise<void> {
  await updateRun(tx, run.id, { lease: null, updatedAt: now });
  await addStep(tx, run.id, notBefore.getTime() - now.getTime());
}
