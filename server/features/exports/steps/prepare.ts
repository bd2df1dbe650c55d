import type { Queryable } from "../../../db/database.ts";
import { loadTimeline } from "../../estimations/index.ts";
import { callTracker } from "../call.ts";
import { exportedEstimation } from "../compose.ts";
import { finishStep, type StepContext } from "../context.ts";
import { afterFault, keepPause } from "../faults.ts";
import { usedMilestones } from "../item-store.ts";
import { updateRun } from "../store.ts";
import type { Prepared, Wanted } from "../trackers/issues.ts";
import { write } from "./write.ts";

/** Finds what the issues refer to, such as a label and milestones, then makes what is missing, one in each step. */
export const prepare = (context: StepContext): Promise<void> =>
  context.run.prepared === null ? survey(context) : make(context, context.run.prepared);

const following = (prepared: Prepared) =>
  ({ prepared, phase: prepared.missing.length > 0 ? "prepare" : "items" }) as const;

/** Lists may take long, so this takes no turn to write. */
async function survey(context: StepContext): Promise<void> {
  const { services, tracker, reached } = context;
  const wanted = await wantedBy(context, services.pool);
  const surveyed = await callTracker(context, (call) => tracker.survey(reached, wanted, call));
  await finishStep(context, async (held) => {
    if (surveyed.fault) return afterFault(context, held, surveyed);
    await keepPause(held, surveyed);
    return { next: { faults: 0, ...following(surveyed.result) } };
  });
}

const make = (context: StepContext, prepared: Prepared): Promise<void> =>
  write(context, {
    async intend({ tx, run }) {
      // Whether it is made shows the next survey, unless a response says so.
      await updateRun(tx, run.id, { prepared: null });
      return wantedBy(context, tx);
    },
    send: (wanted, call) => context.tracker.make(context.reached, wanted, prepared, call),
    conclude: async (_, __, made) => following(made),
  });

async function wantedBy(context: StepContext, db: Queryable): Promise<Wanted> {
  const { run } = context;
  const used = await usedMilestones(db, run.id);
  const { milestones } = await loadTimeline(db, run.estimationId);
  return {
    estimation: await exportedEstimation(context, db),
    milestones: milestones.filter(({ title }) => used.has(title)).map(({ title, dueDate }) => ({ title, dueDate })),
  };
}
