import { and, desc, eq, isNull, not } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimationReaders, estimations, isReader, isWorkedOn } from "../estimations/index.ts";
import { taskTotals } from "../tasks/index.ts";
import { suggestionFeedback } from "./tables.ts";

type FeedbackRow = typeof suggestionFeedback.$inferSelect;

/** Stores a person's verdict instead of an earlier one. */
export async function saveFeedback(tx: Queryable, row: FeedbackRow): Promise<void> {
  const { estimationId, userId } = suggestionFeedback;
  await tx
    .insert(suggestionFeedback)
    .values(row)
    .onConflictDoUpdate({ target: [estimationId, userId], set: row });
}

/** The latest verdict about an estimation, and the totals of its tasks. */
export interface JudgedEstimation extends Pick<FeedbackRow, "verdict" | "p10" | "p50" | "p90"> {
  readonly working: number | null;
  readonly workingFinished: number | null;
  /** Hours. */
  readonly actualHours: number | null;
  readonly lastDoneAt: Date | null;
}

/** Lists the newest estimations that say something about a user's work and about whose suggestion there is a verdict: the latest of each. */
export function listJudged(db: Queryable, userId: string, limit: number): Promise<JudgedEstimation[]> {
  const { verdict, p10, p50, p90, createdAt } = suggestionFeedback;
  const { working, workingFinished, actualHours, lastDoneAt } = taskTotals;
  return db
    .selectDistinctOn([estimationReaders.estimationId], {
      ...{ verdict, p10, p50, p90 },
      ...{ working, workingFinished, actualHours, lastDoneAt },
    })
    .from(estimationReaders)
    .innerJoin(suggestionFeedback, eq(suggestionFeedback.estimationId, estimationReaders.estimationId))
    .innerJoin(estimations, eq(estimations.id, estimationReaders.estimationId))
    .leftJoin(taskTotals, eq(taskTotals.estimationId, estimationReaders.estimationId))
    .where(and(isReader(userId), isWorkedOn, isNull(estimations.deletedAt), not(estimations.isExample)))
    .orderBy(desc(estimationReaders.estimationId), desc(createdAt), desc(suggestionFeedback.userId))
    .limit(limit);
}
