import { loadTimeline } from "../../estimations/index.ts";
import { exportedEstimation } from "../compose.ts";
import type { StepContext } from "../context.ts";
import { usedMilestones } from "../item-store.ts";
import type { Wanted } from "../trackers/tracker.ts";
import { write } from "./write.ts";

/** Finds or makes the label and the milestones of the issues, one in each step. */
export const prepare = (context: StepContext): Promise<void> =>
  write(context, {
    async intend({ tx, run }): Promise<Wanted> {
      const used = await usedMilestones(tx, run.id);
      const { milestones } = await loadTimeline(tx, run.estimationId);
      return {
        estimation: await exportedEstimation(context, tx),
        milestones: milestones.filter(({ title }) => used.has(title)).map(({ title, dueDate }) => ({ title, dueDate })),
      };
    },
    send: (wanted, call) => context.tracker.prepare(context.place, wanted, call),
    async conclude({ run }, _, prepared) {
      return {
        prepared,
        phase: prepared.missing > 0 ? "prepare" : "items",
        // Nothing of what was counted is written yet.
        writesLeft: run.writesLeft,
      };
    },
  });
