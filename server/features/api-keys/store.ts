import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import { type Database, prepareRows, type Queryable } from "../../db/database.ts";
import type { StoredCredentials } from "../../http/callers/credential-watch.ts";
import { sessions, users } from "../auth/index.ts";
import { apiKeys } from "./tables.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** SQL condition: one of the user's own keys. */
const own = (userId: string, id: string) => and(eq(apiKeys.userId, userId), eq(apiKeys.id, id));

/**
 * Counts the user's keys that are not revoked. Until the transaction ends, no other transaction counts for the same
 * user.
 */
export async function countUnrevokedKeys(db: Queryable, userId: string): Promise<number> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  const [row] = await db
    .select({ keys: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)));
  return row?.keys ?? 0;
}

/** Counts the user's keys that are valid now. */
export function countUsableKeys(db: Queryable, userId: string, now: Date): Promise<number> {
  const good = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  return db.$count(apiKeys, and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt), good));
}

export async function insertKey(db: Queryable, key: typeof apiKeys.$inferInsert): Promise<ApiKeyRow> {
  const [row] = await db.insert(apiKeys).values(key).returning();
  return row as ApiKeyRow;
}

/** Reads at most `limit` keys of a user, newest first, after `afterId` if given. */
export function listKeys(db: Queryable, userId: string, limit: number, afterId: string | null): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), afterId === null ? undefined : lt(apiKeys.id, afterId)))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
}

export async function findKey(db: Queryable, userId: string, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db.select().from(apiKeys).where(own(userId, id));
  return row;
}

/** Changes a key that is not revoked; returns undefined if there is none. */
export async function updateKey(
  db: Queryable,
  userId: string,
  id: string,
  fields: Partial<Pick<ApiKeyRow, "name" | "scopes" | "prefix" | "hash" | "rotatedAt" | "revokedAt">>,
): Promise<ApiKeyRow | undefined> {
  const [row] = await db
    .update(apiKeys)
    .set(fields)
    .where(and(own(userId, id), isNull(apiKeys.revokedAt)))
    .returning();
  return row;
}

/** Revokes the keys of a user that were created at `before` or earlier; returns those that were not revoked yet. */
export function revokeKeysBefore(
  tx: Queryable,
  userId: string,
  { before, now }: { readonly before: Date; readonly now: Date },
): Promise<Pick<ApiKeyRow, "id">[]> {
  return tx
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt), lte(apiKeys.createdAt, before)))
    .returning({ id: apiKeys.id });
}

/** Revokes all keys of a user. */
export async function revokeKeys(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)));
}

/** Reads at most `limit` keys of a user that are not revoked, newest first. */
export function listStandingKeys(db: Queryable, userId: string, limit: number): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
}

/** What is needed to judge a key. */
export type Credential = Pick<ApiKeyRow, "id" | "userId" | "scopes" | "expiresAt" | "revokedAt">;

/** Removes what a user has of revoked keys beyond those that are listed, the oldest: making and revoking keys piles up nothing. */
export async function forgetRevoked(db: Queryable, userId: string): Promise<void> {
  const beyond = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNotNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.revokedAt), desc(apiKeys.id))
    .offset(limits.revokedKeys);
  await db.delete(apiKeys).where(inArray(apiKeys.id, beyond));
}

/** Looks a key and its user up by the key's hash, with one prepared query. */
export function prepareCredential(pool: Database): (hash: Uint8Array) => Promise<Credential | undefined> {
  const { id, scopes, expiresAt, revokedAt } = apiKeys;
  const columns = { id, userId: users.id, scopes, expiresAt, revokedAt };
  const select = () =>
    pool
      .select(columns)
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      // A key that is made while its user is disabled.
      .where(and(eq(apiKeys.hash, sql.placeholder("hash")), isNull(users.disabledAt)));
  const find = prepareRows<Credential>(pool, "api_key_by_hash", Object.keys(columns), select);
  return async (hash) => (await find({ hash }))[0];
}

/** Reads the versions of these sessions' users and the scopes of these keys, without those that are not valid now. */
export async function readCredentials(
  db: Queryable,
  { sessionIds, keyIds }: { readonly sessionIds: readonly string[]; readonly keyIds: readonly string[] },
  now: Date,
): Promise<StoredCredentials> {
  const ofSessions = db
    .select({
      id: sessions.id,
      tokenVersion: sql<number | null>`${users.tokenVersion}`,
      scopes: sql<string[] | null>`null::text[]`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(inArray(sessions.id, [...sessionIds]));
  const ofKeys = db
    .select({
      id: apiKeys.id,
      tokenVersion: sql<number | null>`null::int`,
      scopes: sql<string[] | null>`${apiKeys.scopes}`,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(
      and(
        inArray(apiKeys.id, [...keyIds]),
        isNull(apiKeys.revokedAt),
        isNull(users.disabledAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    );
  const rows = await ofSessions.unionAll(ofKeys);
  return {
    tokenVersions: new Map(rows.flatMap(({ id, tokenVersion }) => (tokenVersion === null ? [] : [[id, tokenVersion]]))),
    scopesOfKeys: new Map(rows.flatMap(({ id, scopes }) => (scopes === null ? [] : [[id, scopes]]))),
  };
}

/** Records when keys were last used, in one statement; an earlier time never replaces a later one. */
export async function noteUses(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  const ids = sql.param([...uses.keys()]);
  const times = sql.param([...uses.values()].map((time) => time.toISOString()));
  // Locks rows in the order of their ids: avoids deadlocks between processes that record the same keys.
  await db.execute(sql`
    with used as (
      select k.id, u.at from ${apiKeys} k
      join unnest(${ids}::text[], ${times}::timestamptz[]) as u(id, at) on u.id = k.id
      order by k.id for no key update of k
    )
    update ${apiKeys} k set last_used_at = greatest(k.last_used_at, used.at) from used where k.id = used.id`);
}

/** Removes up to `rows` keys that were revoked before `time`, oldest first, and returns how many were removed. */
export async function removeRevoked(db: Queryable, time: Date, rows: number): Promise<number> {
  const old = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(isNotNull(apiKeys.revokedAt), lt(apiKeys.revokedAt, time)))
    .orderBy(apiKeys.revokedAt)
    .limit(rows);
  return (await db.delete(apiKeys).where(inArray(apiKeys.id, old))).rowCount ?? 0;
}
