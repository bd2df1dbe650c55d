import type { timelines } from "../../../contract/endpoints/timelines.ts";
import { limits } from "../../../contract/limits.ts";
import { asOfAt } from "../../../domain/timeline/as-of.ts";
import { type Schedule, schedulingText } from "../../../domain/timeline/scheduling.ts";
import { changeSettings, tooLong } from "../../../domain/timeline/settings.ts";
import { failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { changeContent, type ReadableEstimation, recordEdit } from "../estimations/index.ts";
import { type Loaded, loadAll, loadSnapshot } from "./load.ts";

/** Reading and changing the timeline of an estimation. */
export function timelineRoutes({ quotas, compute }: Services): Handlers<typeof timelines, ReadableEstimation> {
  const scheduled = (loaded: Loaded, now: Date): Promise<Schedule> => {
    const text = schedulingText({ ...loaded, asOf: asOfAt(now) });
    return compute.run("scheduleOf", text, text.work.length + text.tree.length);
  };
  return {
    async getTimeline({ estimation, db, now }) {
      const loaded = await loadSnapshot(db, estimation.id);
      return { data: { timeline: { ...loaded.settings, ...(await scheduled(loaded, now)) } } };
    },

    async updateTimeline(call) {
      const { db, body, now } = call;
      const loaded = await loadAll(db, call.estimation.id);
      const outcome = changeSettings(loaded.settings, body, loaded.tasks);
      if ("faults" in outcome) return failWith(outcome.faults);
      const { settings } = outcome;
      const changed = { ...loaded, settings };
      const planned = await scheduled(changed, now);
      // A schedule that was too long before may stay too long: an improvement is not refused.
      if (planned.problem === "too_long" && (await scheduled(loaded, now)).problem !== "too_long") {
        failWith([tooLong(limits.timelineYears)]);
      }
      const { estimation } = await changeContent(call, {
        timeline: { timeline: settings, milestones: loaded.milestones },
        quotas,
      });
      await recordEdit(call, "timeline.edited", estimation);
      return { data: { timeline: { ...settings, ...planned } }, revision: estimation.revision };
    },
  };
}
