import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import { nextStep } from "../../../domain/exports/next-step.ts";
import { Interrupted, type JobContext, type JobRow, runJob, SetAside } from "../../jobs/job.ts";
import type { Services } from "../../services/index.ts";
import { findConnection } from "../connections/index.ts";
import { exportJob, finishStep, type StepContext } from "./context.ts";
import { addressOf } from "./destination.ts";
import { PROGRESS_MS } from "./faults.ts";
import { counter, finishItem, goneReasons } from "./finish-item.ts";
import { endUnmade, LOOKED_AT, openItems, unseenItems } from "./item-store.ts";
import { createRemoval, oldRunsJob } from "./old-runs.ts";
import { blockedUntil } from "./pace-store.ts";
import { accessLost, mayStarterEdit } from "./starter.ts";
import { createStepSlots } from "./step-slots.ts";
import { close } from "./steps/close.ts";
import { giveUp, unseen } from "./steps/give-up.ts";
import { link } from "./steps/link.ts";
import { lookUp } from "./steps/look-up.ts";
import { isCheckDue, plan } from "./steps/plan.ts";
import { prepare } from "./steps/prepare.ts";
import { read } from "./steps/read.ts";
import { send } from "./steps/send.ts";
import { sweep } from "./steps/sweep.ts";
import { update } from "./steps/update.ts";
import { type RunRow, takeRun } from "./store.ts";
import type { Tracker } from "./trackers/tracker.ts";

/** The jobs that the worker runs for exports. */
export const exportJobs = (services: Services, trackers: Trackers): JobRow[] => [
  runJob(exportJob, createRun(services, trackers)),
  runJob(oldRunsJob, createRemoval(services)),
];

/** In a dry run: determines what an export would do with tasks whose issue is not known, without asking the tracker. */
const foresee = (context: StepContext): Promise<void> =>
  finishStep(context, async ({ tx, run }) => {
    const { counts, count } = counter(run);
    if (!run.recreateDeleted) {
      for (const { item, ledger } of await unseenItems(tx, run))
        await finishItem(tx, item, "failed", { count }, { reason: unseen(ledger) });
      count("gone", await endUnmade(tx, run, "gone", { isGone: true, reason: goneReasons.deleted }));
    }
    count("created", await endUnmade(tx, run, "created"));
    return { next: counts() };
  });

export type Trackers = Readonly<Record<Tracker["target"], Tracker>>;

/** How soon to look again whether there is a slot, in milliseconds: hundreds of exports may wait for one. */
const NO_SLOT_MS = 30_000;

const connectionMissing: TrackerProblem = {
  code: "connection_missing",
  message: "The connection was deleted, or its token cannot be read any more.",
  remedy: "Start a new export with another connection: the links to exported issues are kept.",
};

const connectionMoved: TrackerProblem = {
  code: "connection_moved",
  message: "The address of the connection has changed since the export was started.",
  remedy:
    "Give the connection its former address and resume the export. Start a new one only if the new address leads to another tracker, or to a renamed site of Atlassian: another address of the same server of your own counts as another server.",
};

const internalError: TrackerProblem = {
  code: "internal_error",
  message: "The service has been unable to continue the export for a day.",
  remedy: "See the log of the service, then resume the export.",
};

/**
 * Returns the function that runs a job of an export: one step, with at most one write to the tracker. It may run twice:
 * earlier requests are in the ledger, and are looked up before anything is sent again.
 */
function createRun(services: Services, trackers: Trackers) {
  const { pool, clock, sealing } = services;
  const takeSlot = createStepSlots();

  /** The token, if the person who started the run may still export; otherwise what prevents it. */
  const reach = async (run: RunRow): Promise<Pick<StepContext, "reached" | "tokenReadAt"> | TrackerProblem> => {
    if (!(await mayStarterEdit(pool, run))) return accessLost;
    const tokenReadAt = clock.now();
    const connection = await findConnection(pool, run.userId, run.connectionId);
    if (!connection) return connectionMissing;
    // The ledger of one tracker says nothing about another.
    if (addressOf(trackers[run.target], connection) !== run.address) return connectionMoved;
    try {
      const token = sealing.open(connection.token, connection.id);
      const access = { baseUrl: connection.baseUrl, email: connection.email, token };
      const { project, issueType, layout } = run;
      return { reached: { access, destination: { project, issueType }, layout }, tokenReadAt };
    } catch {
      return connectionMissing;
    }
  };

  return async ({ exportId }: { readonly exportId: string }, { lease, signal }: JobContext): Promise<void> => {
    if (signal.aborted) throw new Interrupted();
    const run = await takeRun(pool, exportId, lease, clock.now());
    if (!run) return;
    const base = { services, run, lease };
    if (run.cancelAsked) return finishStep(base, async () => ({ ended: "cancelled" }));
    const found = await reach(run);
    if ("code" in found) return finishStep(base, async () => ({ ended: found }));
    const blocked = await blockedUntil(pool, run.connectionId, clock.now());
    if (blocked) {
      const delayMs = blocked.getTime() - clock.now().getTime();
      return finishStep(base, async () => ({ next: {}, delayMs }));
    }
    const leave = takeSlot(run.userId);
    if (!leave) return finishStep(base, async () => ({ next: {}, delayMs: NO_SLOT_MS }));
    try {
      await step({ ...base, ...found, tracker: trackers[run.target], signal });
    } catch (error) {
      // The queue runs the job again, but not for ever.
      const idleMs = clock.now().getTime() - run.progressAt.getTime();
      if (error instanceof SetAside || idleMs <= PROGRESS_MS) throw error;
      services.log.error({ err: error, exportId: run.id }, "an export fails again and again");
      await finishStep(base, async () => ({ ended: internalError }));
    } finally {
      leave();
    }
  };
}

function step(context: StepContext): Promise<void> {
  const { phase, kind, dryRun } = context.run;
  const writes = kind !== "pull" && !dryRun;
  if (phase === "plan" || (writes && isCheckDue(context.run, context.services.clock.now()))) return plan(context);
  if (phase === "prepare") return prepare(context);
  if (phase === "sweep") return sweep(context);
  return workOnItems(context);
}

async function workOnItems(context: StepContext): Promise<void> {
  const { services, run, tracker } = context;
  const { pool, clock, config } = services;
  const isDry = run.dryRun && run.kind === "export";
  const open = await openItems(pool, run);
  const now = clock.now();
  if (isDry && open.some(({ entry }) => entry?.state !== "created")) return foresee(context);
  const bounds = {
    nowMs: now.getTime(),
    settleMs: config.exportSettleSeconds * 1_000,
    batch: run.smallBatches ? tracker.smallBatch : tracker.batch,
    readBatch: tracker.readBatch,
  };
  const first = nextStep(open, bounds);
  // Those that do not wait go on.
  const isCut = first.do === "wait" && open.length === LOOKED_AT;
  const next = isCut ? nextStep(await openItems(pool, run, "all"), bounds) : first;
  switch (next.do) {
    case "read":
      return read(context, next.taskIds);
    case "look_up":
      return lookUp(context, next.taskIds);
    case "give_up":
      return giveUp(context, next.taskIds);
    case "update":
      return run.kind === "close" ? close(context, next.taskId) : update(context, next.taskId);
    case "link":
      return link(context, next.taskId);
    case "send":
      return send(context, next.taskIds);
    case "wait":
      return finishStep(context, async () => ({ next: {}, delayMs: next.until - now.getTime() }));
    case "close":
      return finishStep(context, async () => ({ next: { phase: "sweep" } }));
  }
}
