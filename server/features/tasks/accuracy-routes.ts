import type { accuracy } from "../../../contract/endpoints/accuracy.ts";
import { limits } from "../../../contract/limits.ts";
import { accuracyOfTasks } from "../../../domain/accuracy/task-accuracy.ts";
import type { Handlers } from "../../http/handler.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { newestWith, readFinishedWork } from "./accuracy-store.ts";
import { finishedSources } from "./totals-store.ts";

/** How the estimates of a user's finished tasks compare with what they took. */
export function accuracyRoutes(): Handlers<typeof accuracy, ReadableEstimation> {
  return {
    async getTaskAccuracy({ db, actor }) {
      const { sources, isCut } = await finishedSources(db, actor.userId, limits.accuracyEstimations);
      const newest = newestWith(sources, limits.accuracyTasks).map(({ estimationId }) => estimationId);
      const work = await readFinishedWork(db, newest, limits.accuracyTasks);
      const finished = sources.reduce((sum, source) => sum + source.finished, 0);
      return { data: { accuracy: accuracyOfTasks(work, isCut || finished > work.length) } };
    },
  };
}
