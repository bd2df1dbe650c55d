import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { mailedTokens, users } from "./tables.ts";

export type UserRow = typeof users.$inferSelect;

const nextVersion = sql`${users.tokenVersion} + 1`;

/** Stores when the mail server refused a mail to this address for good; null: it takes them, or is to be tried again. */
export async function setUndelivered(db: Queryable, email: string, at: Date | null): Promise<void> {
  const isChange = at === null ? isNotNull(users.undeliveredAt) : undefined;
  await db
    .update(users)
    .set({ undeliveredAt: at })
    .where(and(eq(users.email, email), isChange));
}

/** Fails with a violation of the unique index `users_email` if the address is taken. */
export async function insertUser(db: Queryable, user: typeof users.$inferInsert): Promise<UserRow> {
  const [row] = await db.insert(users).values(user).returning();
  return row as UserRow;
}

/** Stores an account that stands for something, unless it exists, and returns its id. */
export async function insertStandIn(tx: Queryable, user: typeof users.$inferInsert): Promise<string> {
  await tx.insert(users).values(user).onConflictDoNothing({ target: users.email });
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.email, user.email));
  return row?.id ?? user.id;
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

/** Returns the names of the users with these ids, in no order. */
export function findNames(db: Queryable, ids: readonly string[]): Promise<Pick<UserRow, "id" | "name">[]> {
  const { id, name } = users;
  return db
    .select({ id, name })
    .from(users)
    .where(inArray(id, [...ids]));
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row;
}

export async function updateUser(
  db: Queryable,
  id: string,
  fields: Partial<Pick<UserRow, "name" | "avatarUrl" | "defaultTeamId" | "defaultPermission">>,
): Promise<UserRow | undefined> {
  if (Object.keys(fields).length === 0) return findUser(db, id);
  const [row] = await db.update(users).set(fields).where(eq(users.id, id)).returning();
  return row;
}

/** Stores when an account was last signed in to; returns false, and stores nothing, if it is disabled. */
export async function noteSignIn(tx: Queryable, id: string, lastSignInAt: Date): Promise<boolean> {
  const noted = await tx
    .update(users)
    .set({ lastSignInAt })
    .where(and(eq(users.id, id), isNull(users.disabledAt)));
  return (noted.rowCount ?? 0) > 0;
}

/** Disables a locked account, and revokes its tokens and mailed links. */
export async function disableUser(tx: Queryable, id: string, now: Date): Promise<UserRow> {
  const [row] = await tx
    .update(users)
    .set({ disabledAt: now, tokenVersion: nextVersion })
    .where(eq(users.id, id))
    .returning();
  await tx.delete(mailedTokens).where(eq(mailedTokens.userId, id));
  return row as UserRow;
}

/** Enables an account. */
export async function enableUser(tx: Queryable, id: string): Promise<UserRow> {
  const [row] = await tx.update(users).set({ disabledAt: null }).where(eq(users.id, id)).returning();
  return row as UserRow;
}

/** Makes the account of a person an administrator's, or no longer; returns it, and whether that changed anything. */
export async function setAdministrator(
  tx: Queryable,
  email: string,
  isAdministrator: boolean,
): Promise<{ readonly user: UserRow; readonly hasChanged: boolean } | undefined> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.email, email), isNull(users.standsFor)))
    .for("no key update");
  if (!user) return undefined;
  if (user.isAdministrator === isAdministrator) return { user, hasChanged: false };
  await tx.update(users).set({ isAdministrator }).where(eq(users.id, user.id));
  return { user, hasChanged: true };
}

/** Counts the administrators of the instance. */
export const countAdministrators = (db: Queryable): Promise<number> =>
  db.$count(users, eq(users.isAdministrator, true));

/** Returns the names and addresses of the users with these ids, in no order. */
export function findPeople(db: Queryable, ids: readonly string[]): Promise<Pick<UserRow, "id" | "name" | "email">[]> {
  const { id, name, email } = users;
  return db
    .select({ id, name, email })
    .from(users)
    .where(inArray(id, [...ids]));
}

/** Revokes every token issued so far. */
export async function revokeTokens(db: Queryable, id: string): Promise<void> {
  await db.update(users).set({ tokenVersion: nextVersion }).where(eq(users.id, id));
}

/**
 * Sets the password and revokes every token issued so far. Returns the new version, or null if `tokenVersion` is no
 * longer the current one: the user logged out or changed the password meanwhile.
 */
export async function setPassword(
  db: Queryable,
  id: string,
  { tokenVersion, passwordHash }: { tokenVersion: number; passwordHash: string },
): Promise<number | null> {
  const [row] = await db
    .update(users)
    .set({ passwordHash, tokenVersion: nextVersion })
    .where(and(eq(users.id, id), eq(users.tokenVersion, tokenVersion)))
    .returning({ tokenVersion: users.tokenVersion });
  return row?.tokenVersion ?? null;
}

/**
 * Sets the password of a user with a mailed link, marks the address as verified, which the link proves, and revokes
 * every token issued so far. `isProof`: the address did not count as verified before. Returns undefined, and changes
 * nothing, if the account is disabled.
 */
export async function resetPassword(
  db: Queryable,
  id: string,
  { passwordHash, isProof, now }: { readonly passwordHash: string; readonly isProof: boolean; readonly now: Date },
): Promise<UserRow | undefined> {
  const [row] = await db
    .update(users)
    .set({
      passwordHash,
      passwordProved: true,
      tokenVersion: nextVersion,
      emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now.toISOString()})`,
      ...(isProof && {
        provedByResetAt: sql`case when ${users.emailVerifiedAt} is null then ${now.toISOString()}::timestamptz else ${users.provedByResetAt} end`,
      }),
    })
    .where(and(eq(users.id, id), isNull(users.disabledAt)))
    .returning();
  return row;
}

/**
 * Ends the access of a person who created the account without owning its address: revokes every token issued so far,
 * and removes the password unless it was set through a mailed link. A password changed since then is still theirs.
 */
export async function endUnprovedAccess(db: Queryable, id: string): Promise<UserRow> {
  const [row] = await db
    .update(users)
    .set({
      tokenVersion: nextVersion,
      passwordHash: sql`case when ${users.passwordProved} then ${users.passwordHash} end`,
    })
    .where(eq(users.id, id))
    .returning();
  return row as UserRow;
}

/** Replaces the hash `from` by one of the same password at today's cost, unless the password was changed meanwhile. */
export async function renewPasswordHash(db: Queryable, id: string, from: string, to: string): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)));
}
