import { limits } from "../../../contract/limits.ts";
import type { timelines } from "../../../contract/timelines.ts";
import { changeSettings, tooLong } from "../../../domain/timeline/settings.ts";
import { failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import { changeContent, type ReadableEstimation } from "../estimations/index.ts";
import { cover, type Loaded, loadAll, loadSnapshot, type Outcome, planOf } from "./load.ts";
import { presentTimeline } from "./present.ts";

/** Reading and changing the timeline of an estimation. */
export function timelineRoutes({ config }: Services): Handlers<typeof timelines, ReadableEstimation> {
  return {
    async getTimeline({ estimation, db }) {
      const loaded = await loadSnapshot(db, estimation.id, ({ settings }) => settings.startDate !== null);
      return { data: { timeline: presentTimeline(loaded, scheduled(loaded)) } };
    },

    async updateTimeline(call) {
      const { db, body } = call;
      const loaded = await loadAll(db, call.estimation.id);
      const outcome = changeSettings(loaded.settings, body, loaded.tasks);
      if ("faults" in outcome) return failWith(outcome.faults);
      const { settings } = outcome;
      const changed = { ...loaded, settings };
      const planned = scheduled(changed);
      // A schedule that was too long before may stay too long: an improvement is not refused.
      if (planned.problem === "too_long" && scheduled(loaded).problem !== "too_long") {
        failWith([tooLong(limits.timelineYears)]);
      }
      const { estimation } = await changeContent(call, {
        timeline: { timeline: settings, milestones: loaded.milestones },
        quotaBytes: config.quotas.treeBytes,
      });
      return { data: { timeline: presentTimeline(changed, planned) }, revision: estimation.revision };
    },
  };
}

const scheduled = (loaded: Loaded): Outcome => planOf(loaded, cover(loaded, loaded.milestones));
