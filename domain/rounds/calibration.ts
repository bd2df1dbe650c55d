import type { Calibration } from "../../contract/endpoints/suggestions.ts";
import { limits } from "../../contract/limits.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { accuracyOfTasks } from "../accuracy/task-accuracy.ts";

/** What somebody estimated for a task that is finished, in hours of the whole task; the likely hours are above 0. */
export interface Judged {
  readonly taskId: string;
  readonly userId: string;
  readonly points: ThreePoint;
  readonly actualHours: number;
  readonly doneAt: Date;
}

/**
 * Returns how estimates compare with what the tasks took: the median of actual by likely hours, and how often the 80 % ranges held,
 * both with 95 % intervals, which count the estimates as independent.
 */
export function calibrationOf(judged: readonly Judged[]): Calibration {
  const work = judged.map(({ points, actualHours, doneAt }) => ({
    ...{ role: null, hours: points.likely, baseHours: points.likely, points, actualHours, doneAt },
  }));
  const { ratio, ranges } = accuracyOfTasks(work, false);
  return { people: new Set(judged.map(({ userId }) => userId)).size, ratio, ranges };
}

/**
 * The same of several people together; null where it would tell of one of them: where there are few people with a few tasks each, or few
 * tasks, or more than half of all estimates are one person's.
 */
export function calibrationOfAll(judged: readonly Judged[]): Calibration | null {
  const tasks = new Set(judged.map(({ taskId }) => taskId)).size;
  const counts = [...Map.groupBy(judged, ({ userId }) => userId).values()].map(({ length }) => length);
  const people = counts.filter((count) => count >= limits.calibratedTasksEach).length;
  const isMixed = Math.max(...counts) * 2 <= judged.length;
  return people >= limits.calibratedPeople && tasks >= limits.calibratedTasks && isMixed ? calibrationOf(judged) : null;
}
