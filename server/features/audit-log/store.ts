import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import type { Queryable } from "../../db/database.ts";
import { firstIdAt } from "../../platform/ids.ts";
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

/** Which events of all accounts are listed. */
export interface EventFilter {
  /** Whose account. */
  readonly userId?: string | undefined;
  /** Who else did it. */
  readonly actorId?: string | undefined;
  readonly events?: readonly IdentityEvent[] | undefined;
  /** At this time or later, … */
  readonly from?: Date | undefined;
  /** … and before this one. */
  readonly to?: Date | undefined;
}

/** An id is made at most so long after the time of its event: as long as a request may take. */
const LONGEST_REQUEST_MS = 3_600_000;

/**
 * Reads at most `limit` events of all accounts, newest first, before `beforeId` if given. Ids begin with their time: so every
 * filter reads a part of an index, those of events as many parts as there are events.
 */
export async function listAllEvents(
  db: Queryable,
  { userId, actorId, events, from, to }: EventFilter,
  limit: number,
  beforeId: string | null,
): Promise<AuditEventRow[]> {
  const { id, createdAt, event } = auditEvents;
  const within = and(
    beforeId === null ? undefined : lt(id, beforeId),
    from && and(gte(id, firstIdAt("auditEvent", from)), gte(createdAt, from)),
    to && and(lt(id, firstIdAt("auditEvent", new Date(to.getTime() + LONGEST_REQUEST_MS))), lt(createdAt, to)),
    userId === undefined ? undefined : eq(auditEvents.userId, userId),
    actorId === undefined ? undefined : eq(auditEvents.actorId, actorId),
  );
  if (events === undefined || userId !== undefined || actorId !== undefined)
    return db
      .select()
      .from(auditEvents)
      .where(and(within, events && inArray(event, [...events])))
      .orderBy(desc(id))
      .limit(limit);
  const newest = db.$with("newest").as(
    db.select({ id: sql<string>`found.id`.as("id") }).from(
      sql`unnest(${sql.param([...events])}::text[]) as wanted (event) cross join lateral (
          select ${id} from ${auditEvents} where ${event} = wanted.event ${within ? sql`and ${within}` : sql``}
          order by ${id} desc limit ${limit}) as found`,
    ),
  );
  return db
    .with(newest)
    .select()
    .from(auditEvents)
    .where(sql`${id} in (select id from newest)`)
    .orderBy(desc(id))
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
