import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import type { MilestoneRecord } from "../../../contract/endpoints/milestones.ts";
import type { TimelineSettings } from "../../../contract/endpoints/timelines.ts";
import type { Queryable } from "../../db/database.ts";
import type { Quotas } from "../../http/quotas.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { timelines } from "./tables.ts";
import { accountTree, timelineStepsOf } from "./usage-store.ts";

/** The settings of a timeline, null if they were never set, and the milestones. */
export interface TimelineContent {
  readonly timeline: TimelineSettings | null;
  readonly milestones: readonly MilestoneRecord[];
}

export async function loadTimeline(db: Queryable, estimationId: string): Promise<TimelineContent> {
  const [row] = await db.select().from(timelines).where(eq(timelines.estimationId, estimationId));
  return { timeline: row?.settings ?? null, milestones: row?.milestones ?? [] };
}

/** Stores the timeline of a locked estimation if it has changed. Returns whether it has. */
export async function saveTimeline(
  tx: Queryable,
  quotas: Quotas | undefined,
  estimation: Pick<ReadableEstimation, "id" | "ownerId" | "access">,
  { timeline, milestones }: TimelineContent,
): Promise<boolean> {
  const { id } = estimation;
  const [row] = await tx.select().from(timelines).where(eq(timelines.estimationId, id));
  if (isDeepStrictEqual([row?.settings ?? null, row?.milestones ?? []], [timeline, milestones])) return false;
  const [settingsText, milestonesText] = [timeline && JSON.stringify(timeline), JSON.stringify(milestones)];
  const bytes = Buffer.byteLength(settingsText ?? "") + Buffer.byteLength(milestonesText);
  await accountTree(tx, quotas, estimation, timelineStepsOf(bytes) - timelineStepsOf(row?.bytes ?? 0));
  await tx
    .insert(timelines)
    .values({ estimationId: id, settings: sql`${settingsText}::json`, milestones: sql`${milestonesText}::json`, bytes })
    .onConflictDoUpdate({
      target: timelines.estimationId,
      set: { settings: sql`excluded.settings`, milestones: sql`excluded.milestones`, bytes: sql`excluded.bytes` },
    });
  return true;
}
