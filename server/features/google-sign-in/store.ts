import { and, eq, gte, inArray, isNull, lt } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { exchangeCodes, finishedSignIns, identities } from "./tables.ts";

export type Identity = typeof identities.$inferSelect;

/** Reads the user that a provider's subject signs in to. */
export async function findUserIdOf(
  db: Queryable,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row?.userId;
}

/** Reads the subject that signs in to the user from this provider. */
export async function findSubjectOf(db: Queryable, userId: string, issuer: string): Promise<string | undefined> {
  const [row] = await db
    .select({ subject: identities.subject })
    .from(identities)
    .where(and(eq(identities.userId, userId), eq(identities.issuer, issuer)));
  return row?.subject;
}

/** Fails with a violation of `identities_by_subject` or `identities_by_user` if another sign-in was faster. */
export async function insertIdentity(db: Queryable, identity: Identity): Promise<void> {
  await db.insert(identities).values(identity);
}

/** Marks a sign-in as finished; returns false if it already was. */
export async function finishSignIn(db: Queryable, hash: Uint8Array, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insert(finishedSignIns)
    .values({ hash, expiresAt })
    .onConflictDoNothing()
    .returning({ hash: finishedSignIns.hash });
  return rows.length > 0;
}

export async function insertExchangeCode(db: Queryable, code: typeof exchangeCodes.$inferInsert): Promise<void> {
  await db.insert(exchangeCodes).values(code);
}

/**
 * Uses up a code, in one statement, so that only one of several redemptions succeeds. Returns its user, or undefined if
 * the code is unknown, expired, used, or from before the user's tokens were revoked.
 */
export async function useExchangeCode(
  db: Queryable,
  hash: Uint8Array,
  now: Date,
): Promise<typeof users.$inferSelect | undefined> {
  const [row] = await db
    .update(exchangeCodes)
    .set({ usedAt: now })
    .from(users)
    .where(
      and(
        eq(exchangeCodes.hash, hash),
        isNull(exchangeCodes.usedAt),
        gte(exchangeCodes.expiresAt, now),
        eq(users.id, exchangeCodes.userId),
        eq(users.tokenVersion, exchangeCodes.tokenVersion),
      ),
    )
    .returning();
  return row?.users;
}

const removeExpired =
  (table: typeof exchangeCodes | typeof finishedSignIns) =>
  async (db: Queryable, now: Date, rows: number): Promise<number> => {
    const over = db.select({ hash: table.hash }).from(table).where(lt(table.expiresAt, now)).limit(rows);
    return (await db.delete(table).where(inArray(table.hash, over))).rowCount ?? 0;
  };

/** Removes up to `rows` expired codes, and returns how many were removed. */
export const removeExpiredCodes = removeExpired(exchangeCodes);

/** Removes up to `rows` expired finished sign-ins, and returns how many were removed. */
export const removeExpiredSignIns = removeExpired(finishedSignIns);
