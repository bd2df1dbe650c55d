import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import type { MilestoneRecord } from "../../../contract/milestones.ts";
import type { TimelineSettings } from "../../../contract/timelines.ts";
import type { Queryable } from "../../db/database.ts";
import { timelines } from "./tables.ts";
import { accountTimeline } from "./usage-store.ts";

/** The settings of a timeline, null if they were never set, and the milestones. */
export interface TimelineContent {
  readonly timeline: TimelineSettings | null;
  readonly milestones: readonly MilestoneRecord[];
}

export async function loadTimeline(db: Queryable, estimationId: string): Promise<TimelineContent> {
  const [row] = await db.select().from(timelines).where(eq(timelines.estimationId, estimationId));
  return { timeline: row?.settings ?? null, milestones: row?.milestones ?? [] };
}

/** Whose timeline it is, and the bytes that trees and timelines of this owner may take together. */
interface Owned {
  readonly id: string;
  readonly ownerId: string;
  readonly quotaBytes?: number | undefined;
}

/** Stores the timeline of a locked estimation if it has changed. Returns whether it has. */
export async function saveTimeline(
  tx: Queryable,
  { id, ownerId, quotaBytes = Number.POSITIVE_INFINITY }: Owned,
  { timeline, milestones }: TimelineContent,
): Promise<boolean> {
  const [row] = await tx.select().from(timelines).where(eq(timelines.estimationId, id));
  if (isDeepStrictEqual([row?.settings ?? null, row?.milestones ?? []], [timeline, milestones])) return false;
  const [settingsText, milestonesText] = [timeline && JSON.stringify(timeline), JSON.stringify(milestones)];
  const bytes = Buffer.byteLength(settingsText ?? "") + Buffer.byteLength(milestonesText);
  await accountTimeline(tx, ownerId, { before: row?.bytes ?? 0, after: bytes, quotaBytes });
  await tx
    .insert(timelines)
    .values({ estimationId: id, settings: sql`${settingsText}::json`, milestones: sql`${milestonesText}::json`, bytes })
    .onConflictDoUpdate({
      target: timelines.estimationId,
      set: { settings: sql`excluded.settings`, milestones: sql`excluded.milestones`, bytes: sql`excluded.bytes` },
    });
  return true;
}
