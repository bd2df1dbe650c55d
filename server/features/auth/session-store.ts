import { and, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Database, Queryable } from "../../db/database.ts";
import { createLastUsed, type LastUsed } from "../../http/callers/last-used.ts";
import { fail } from "../../http/failure.ts";
import type { ActorSession } from "../../http/handler.ts";
import type { GivenCredential } from "../../http/steps/identify-caller.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import type { Services } from "../../services/index.ts";
import { sessions, users } from "./tables.ts";

export type SessionRow = typeof sessions.$inferSelect;

/** A use is stored if the stored one is older than this: a session that is used all day is written once a minute. */
const USED_MS = 60_000;
/** For so long a session is kept when its token has expired: the clocks of two processes may differ. */
const GRACE_MS = 60_000;

/** Stores when sessions were last used, which happens every few seconds. */
export const createSessionUses = ({ pool, clock, log }: Pick<Services, "pool" | "clock" | "log">): LastUsed =>
  createLastUsed({ clock, log }, "sessions", (uses) => noteUses(pool, uses));

/**
 * Reads session tokens; verifying one compares its version with the user's, on every call, and finds its session. Throws a
 * `Failure`: `token_invalid` for a token that is malformed, forged, expired or of a deleted user, `token_revoked` for one that
 * was revoked or whose session was ended. `uses` is told of every use.
 */
export function createSessionVerifier(
  { sessionKeys, clock, pool }: Services,
  uses?: Pick<LastUsed, "note">,
): (token: string) => Promise<GivenCredential> {
  const tokens = createSessionTokens(sessionKeys, clock);
  const find = prepareSession(pool);
  return async (token) => {
    const claims = await tokens.read(token);
    if (claims === "expired") fail("token_invalid", { hint: "This session has expired: sign in again." });
    if (!claims) fail("token_invalid");
    const { userId, tokenVersion, sessionId } = claims;
    return {
      credential: token,
      userId,
      async prove() {
        const found = await find({ userId, sessionId });
        if (found === undefined) fail("token_invalid");
        if (found.tokenVersion !== tokenVersion) fail("token_revoked");
        const { signedInAt, lastUsedAt, isAdministrator } = found;
        if (signedInAt === null || lastUsedAt === null) fail("token_revoked", { hint: "This session was ended." });
        const now = clock.now();
        if (now.getTime() - lastUsedAt.getTime() >= USED_MS) uses?.note(sessionId, now);
        const session: ActorSession = { id: sessionId, signedInAt, isAdministrator };
        return { userId, credential: "session", apiKeyId: null, scopes: [], tokenVersion, session };
      },
    };
  };
}

/** Looks a user and one of the user's sessions up by their primary keys, with one prepared query. */
function prepareSession(pool: Database) {
  const { tokenVersion, isAdministrator } = users;
  const { signedInAt, lastUsedAt } = sessions;
  const query = pool
    .select({ tokenVersion, isAdministrator, signedInAt, lastUsedAt })
    .from(users)
    .leftJoin(sessions, and(eq(sessions.id, sql.placeholder("sessionId")), eq(sessions.userId, users.id)))
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare("user_and_session");
  return async (ids: { readonly userId: string; readonly sessionId: string }) => (await query.execute(ids))[0];
}

/** SQL condition: the sessions of a user that have not ended. */
const standing = (userId: string, now: Date) =>
  and(
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, now),
    sql`${sessions.tokenVersion} = (select token_version from ${users} where id = ${userId})`,
  );

/** Stores a session. Beyond the limit, the oldest of the user end. */
export async function insertSession(tx: Queryable, session: typeof sessions.$inferInsert): Promise<void> {
  await tx.insert(sessions).values(session);
  const beyond = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, session.userId))
    .orderBy(desc(sessions.id))
    .offset(limits.sessions);
  await tx.delete(sessions).where(inArray(sessions.id, beyond));
}

/** Stores when the newest token of a session expires; returns false if the session has ended. */
export async function extendSession(db: Queryable, id: string, expiresAt: Date): Promise<boolean> {
  return ((await db.update(sessions).set({ expiresAt }).where(eq(sessions.id, id))).rowCount ?? 0) > 0;
}

/** Reads at most `limit` sessions of a user that have not ended, newest first, after `afterId` if given. */
export function listSessions(
  db: Queryable,
  userId: string,
  { now, limit, afterId = null }: { readonly now: Date; readonly limit: number; readonly afterId?: string | null },
): Promise<SessionRow[]> {
  return db
    .select()
    .from(sessions)
    .where(and(standing(userId, now), afterId === null ? undefined : lt(sessions.id, afterId)))
    .orderBy(desc(sessions.id))
    .limit(limit);
}

export const findSession = async (db: Queryable, id: string): Promise<SessionRow | undefined> =>
  (await db.select().from(sessions).where(eq(sessions.id, id)))[0];

/** Ends one session of a user; returns false if there is none that has not ended. */
export async function endSession(db: Queryable, userId: string, id: string, now: Date): Promise<boolean> {
  const ended = await db.delete(sessions).where(and(eq(sessions.id, id), standing(userId, now)));
  return (ended.rowCount ?? 0) > 0;
}

/** Removes up to `rows` sessions whose tokens have all expired, and returns how many were removed. */
export async function forgetSessions(db: Queryable, now: Date, rows: number): Promise<number> {
  const over = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(lt(sessions.expiresAt, new Date(now.getTime() - GRACE_MS)))
    .limit(rows)
    .for("update", { skipLocked: true });
  return (await db.delete(sessions).where(inArray(sessions.id, over))).rowCount ?? 0;
}

/** Records when sessions were last used, in one statement; an earlier time never replaces a later one. */
async function noteUses(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  const ids = sql.param([...uses.keys()]);
  const times = sql.param([...uses.values()].map((time) => time.toISOString()));
  // Locks rows in the order of their ids: avoids deadlocks between processes that record the same sessions.
  await db.execute(sql`
    with used as (
      select s.id, u.at from ${sessions} s
      join unnest(${ids}::text[], ${times}::timestamptz[]) as u(id, at) on u.id = s.id
      order by s.id for no key update of s
    )
    update ${sessions} s set last_used_at = greatest(s.last_used_at, used.at) from used where s.id = used.id`);
}
