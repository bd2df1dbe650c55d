import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import type { Layout } from "../../../domain/exports/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { isDatabaseUnavailable } from "../../db/failures.ts";
import { defineJob, ENDLESS_RUNS, type Lease, LeaseLost } from "../../jobs/job.ts";
import { addJob } from "../../jobs/job-store.ts";
import { pause } from "../../platform/clock.ts";
import type { Services } from "../../services/index.ts";
import { lockEstimations } from "../estimations/index.ts";
import { endRun } from "./end.ts";
import { endTurn } from "./pace-store.ts";
import { accessLost, mayStarterEdit } from "./starter.ts";
import { lockTaken, type RunRow, updateRun } from "./store.ts";
import type { Reached } from "./trackers/reach.ts";
import type { Tracker } from "./trackers/tracker.ts";

/** Works on one step of a run, then adds the job of the next. It runs until the run ends, however long that takes. */
export const exportJob = defineJob<{ exportId: string }>("run-export", { maxRuns: ENDLESS_RUNS, sends: true });

/** A run has one job at most that has not started. */
const jobKeyOf = (exportId: string): string => `export:${exportId}`;

/** Adds the job of a run's next step, within the transaction `tx`. */
export const addStep = (tx: Queryable, exportId: string, delayMs = 0): Promise<void> =>
  addJob(tx, exportJob, { exportId }, { delayMs, jobKey: jobKeyOf(exportId) });

/** What a step receives. */
export interface StepContext {
  readonly services: Services;
  readonly run: RunRow;
  readonly lease: Lease;
  readonly tracker: Tracker;
  readonly reached: Reached;
  /** When the token was read: a refusal does not apply to a newer one. */
  readonly tokenReadAt: Date;
  readonly signal: AbortSignal;
}

/** What the first step of the run has found out about its destination. */
export function layoutOf({ reached }: Pick<StepContext, "reached">): Layout {
  if (reached.layout === null) throw new Error("The destination was not checked.");
  return reached.layout;
}

/** What follows a step. */
export type Afterwards =
  | { readonly next: Partial<RunRow>; readonly delayMs?: number }
  | { readonly ended: "done" | "cancelled" | TrackerProblem };

/** A transaction of a step. The run and its estimation are locked, and the job still holds the run. */
export interface HeldTransaction {
  readonly tx: Queryable;
  readonly run: RunRow;
  readonly now: Date;
}

/** Pauses between tries to store an outcome, in milliseconds: some seconds in all, as long as a restart of the database. */
const STORE_PAUSES_MS = [200, 500, 1_000, 2_000, 4_000];

/**
 * Runs a transaction of a step. The estimation is locked first, as every call does that writes below it. `whatever` is
 * stored even if another job has taken the run over, or its starter may not continue: what is known of an issue is true whoever
 * finds out. Throws `LeaseLost` after that in the first case. In the second the run ends, and the result is null: a tracker may
 * take minutes to respond, and the access to the estimation may end meanwhile.
 */
export async function inStep<R>(
  { services, run: { id, estimationId }, lease }: Pick<StepContext, "services" | "run" | "lease">,
  work: (held: HeldTransaction) => Promise<R>,
  whatever: (tx: Queryable, now: Date) => Promise<void> = async () => {},
): Promise<R | null> {
  const { pool, clock } = services;
  const result = await pool.transaction(async (tx) => {
    await lockEstimations(tx, [estimationId]);
    const run = await lockTaken(tx, id, lease);
    const now = clock.now();
    await whatever(tx, now);
    if (!run) return undefined;
    if (await mayStarterEdit(tx, run)) return { of: await work({ tx, run, now }) };
    await endTurn(tx, { connectionId: run.connectionId, exportId: id, now }, { succeeded: false });
    await endRun(services, tx, id, run.cancelAsked ? "cancelled" : accessLost, now);
    return { of: null };
  });
  if (!result) throw new LeaseLost();
  return result.of;
}

/** Ends a step: stores its results, and adds the job of the next step or ends the run, in one transaction. */
export async function finishStep(
  context: Pick<StepContext, "services" | "run" | "lease">,
  work: (held: HeldTransaction) => Promise<Afterwards>,
  whatever?: (tx: Queryable, now: Date) => Promise<void>,
): Promise<void> {
  const once = async (): Promise<void> => {
    await inStep(
      context,
      async (held) => {
        const { tx, run, now } = held;
        const afterwards = await work(held);
        if ("ended" in afterwards) {
          await endRun(context.services, tx, run.id, afterwards.ended, now);
          return;
        }
        const { next, delayMs = 0 } = afterwards;
        const progress = next.faults === 0 ? { progressAt: now } : {};
        await updateRun(tx, run.id, { ...next, ...progress, lease: null, updatedAt: now });
        await addStep(tx, run.id, delayMs);
      },
      whatever,
    );
  };
  for (const pauseMs of STORE_PAUSES_MS) {
    try {
      return await once();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
    await pause(context.services.clock, pauseMs);
  }
  await once();
}
