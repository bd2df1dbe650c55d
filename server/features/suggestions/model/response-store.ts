import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { limits } from "../../../../contract/limits.ts";
import type { Database, Queryable } from "../../../db/database.ts";
import { users } from "../../auth/index.ts";
import { estimationReaders, estimations } from "../../estimations/index.ts";
import { tasksTable } from "../../tasks/index.ts";
import { teamMembers } from "../../teams/index.ts";
import { modelResponses } from "../tables.ts";

/** Questions of one user at the same time. */
export const RUNNING_PER_USER = 2;
/** A question without a response is not asked again for this long. */
export const PAUSE_SECONDS = 60;
/** Responses that are retained for each user, the newest. */
export const RESPONSES_PER_USER = 500;

/** A question to the language model. */
export interface ReservedQuestion {
  readonly key: string;
  readonly askedAt: Date;
}

/** Returns the hours in the language model's response to a question; null: no response is stored. */
export async function findResponse(db: Queryable, key: string): Promise<readonly number[] | null> {
  const [row] = await db
    .select({ hours: modelResponses.hours })
    .from(modelResponses)
    .where(eq(modelResponses.key, key));
  return row?.hours ?? null;
}

interface Asker {
  readonly estimationId: string;
  readonly userId: string;
}

/**
 * Reserves a question, so that nobody else asks it meanwhile. Returns null if it must not be asked now: it is under way or
 * had no response lately, or its user has no question left.
 */
export function reserveQuestion(
  pool: Database,
  key: string,
  { estimationId, userId }: Asker,
  now: Date,
): Promise<ReservedQuestion | null> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  const pauseAgo = new Date(now.getTime() - PAUSE_SECONDS * 1_000);
  return pool.transaction(async (tx) => {
    // The questions of one user are counted one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('model-questions:' || ${userId}, 0))`);
    const [counts] = await tx
      .select({
        asked: sql<number>`count(*)::int`,
        running: sql<number>`count(*) filter (where ${isNull(modelResponses.endedAt)})::int`,
      })
      .from(modelResponses)
      .where(and(eq(modelResponses.userId, userId), sql`${modelResponses.askedAt} > ${minuteAgo}`));
    const { asked = 0, running = 0 } = counts ?? {};
    if (asked >= limits.modelQuestionsPerMinute || running >= RUNNING_PER_USER) return null;
    // The estimation may have been removed since it was read.
    const there = tx.select({ id: estimations.id }).from(estimations).where(eq(estimations.id, estimationId));
    if ((await there.for("key share")).length === 0) return null;
    const fresh = { userId, askedAt: now, endedAt: null };
    const reserved = await tx
      .insert(modelResponses)
      .values({ key, estimationId, ...fresh })
      .onConflictDoUpdate({
        target: modelResponses.key,
        set: fresh,
        setWhere: and(isNull(modelResponses.hours), lt(modelResponses.askedAt, pauseAgo)),
      })
      .returning({ key: modelResponses.key });
    await tx.execute(sql`
      delete from ${modelResponses} where key in (
        select key from ${modelResponses} where ${eq(modelResponses.userId, userId)}
        order by ${modelResponses.askedAt} desc, key offset ${RESPONSES_PER_USER})`);
    return reserved.length === 0 ? null : { key, askedAt: now };
  });
}

/** Stores how a reserved question ended; `hours` is null if there is no usable response. */
export async function endQuestion(
  db: Queryable,
  { key, askedAt }: ReservedQuestion,
  hours: readonly number[] | null,
  now: Date,
): Promise<void> {
  await db
    .update(modelResponses)
    .set({ hours, endedAt: now })
    .where(and(eq(modelResponses.key, key), eq(modelResponses.askedAt, askedAt)));
}

/**
 * Returns the names of people that texts of an estimation and of these tasks may hold: of everybody who may read one of
 * them, and of their clients.
 */
export async function namesToHide(db: Queryable, estimationId: string, taskIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    with asked as (
      select ${estimationId} as id
      union select estimation_id from ${tasksTable} where id = any(${sql.param([...taskIds])}::text[]))
    select ${users.name} from asked
      join ${estimationReaders} on ${estimationReaders.estimationId} = asked.id
      left join ${teamMembers} on ${teamMembers.teamId} = ${estimationReaders.teamId}
      join ${users} on ${users.id} = coalesce(${estimationReaders.userId}, ${teamMembers.userId})
    union select ${estimations.clientName} from asked join ${estimations} on ${estimations.id} = asked.id
      where ${estimations.clientName} is not null`);
  return rows.map(({ name }) => name);
}
