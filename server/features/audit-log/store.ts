import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { auditEvents } from "./tables.ts";

export type AuditEventRow = typeof auditEvents.$inferSelect;

export async function insertEvent(db: Queryable, event: typeof auditEvents.$inferInsert): Promise<void> {
  await db.insert(auditEvents).values(event);
}

/** Reads at most `limit` events of a user, newest first, before `beforeId` if given. */
export function listEvents(
  db: Queryable,
  userId: string,
  limit: number,
  beforeId: string | null,
): Promise<AuditEventRow[]> {
  return db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.userId, userId), beforeId === null ? undefined : lt(auditEvents.id, beforeId)))
    .orderBy(desc(auditEvents.id))
    .limit(limit);
}

/** Removes up to `rows` events from before `time`, oldest first, and returns how many were removed. */
export async function removeEvents(db: Queryable, time: Date, rows: number): Promise<number> {
  const old = db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(lt(auditEvents.createdAt, time))
    .orderBy(auditEvents.createdAt)
    .limit(rows);
  const { rowCount } = await db.delete(auditEvents).where(inArray(auditEvents.id, old));
  return rowCount ?? 0;
}
