import { createHash, createHmac } from "node:crypto";
import { and, eq, gte, inArray, isNull, lt, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { type LinkPurpose, mailedTokens, users } from "./tables.ts";

const WELL_FORMED = /^[\w-]{43}$/;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** One request of a mail with a link. */
interface LinkRequest {
  readonly userId: string;
  readonly purpose: LinkPurpose;
  /** Names the request. */
  readonly cause: string;
}

/**
 * Makes the token of a link: the HMAC of the request under `key`, of which only the SHA-256 is stored. It revokes the
 * token of an earlier request with the same user and purpose. The same request gives the same token: if its mail is sent
 * twice, the link in both copies works, whichever one a mail program shows.
 */
export async function makeMailedToken(
  db: Queryable,
  key: Uint8Array,
  { userId, purpose, cause }: LinkRequest,
  now: Date,
): Promise<string> {
  const token = createHmac("sha256", key).update(`${purpose} ${userId} ${cause}`).digest("base64url");
  const row = { hash: hashOf(token), expiresAt: new Date(now.getTime() + limits.mailedLinkSeconds * 1000) };
  await db
    .insert(mailedTokens)
    .values({ userId, purpose, ...row })
    .onConflictDoUpdate({ target: [mailedTokens.userId, mailedTokens.purpose], set: row });
  return token;
}

const good = (token: string, purpose: LinkPurpose, now: Date) =>
  and(eq(mailedTokens.hash, hashOf(token)), eq(mailedTokens.purpose, purpose), gte(mailedTokens.expiresAt, now));

/** Returns the user of a token, without using it up; undefined if it is not valid now. */
export async function readMailedToken(
  db: Queryable,
  token: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<typeof users.$inferSelect | undefined> {
  if (!WELL_FORMED.test(token)) return undefined;
  const [row] = await db
    .select({ user: users })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(good(token, purpose, now));
  return row?.user;
}

/** Uses up a token, within the transaction of its purpose, and returns its user; undefined if it is not valid. */
export async function spendMailedToken(
  db: Queryable,
  token: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string | undefined> {
  if (!WELL_FORMED.test(token)) return undefined;
  const [row] = await db
    .delete(mailedTokens)
    .where(good(token, purpose, now))
    .returning({ userId: mailedTokens.userId });
  return row?.userId;
}

/**
 * Marks an address as verified by the token of its link, and returns the user; undefined, changing nothing, if the token is
 * not valid, or the address is verified already. The token stays until it expires: whoever opens the link again is told that
 * the address is confirmed. With `passwordHash` the owner of the address takes over an account that somebody else may have
 * created: it gets this password, and every session token is revoked.
 */
export async function verifyByToken(
  db: Queryable,
  token: string,
  { now, passwordHash }: { readonly now: Date; readonly passwordHash?: string | undefined },
): Promise<typeof users.$inferSelect | undefined> {
  if (!WELL_FORMED.test(token)) return undefined;
  const owner = db
    .select({ id: mailedTokens.userId })
    .from(mailedTokens)
    .where(good(token, "verify-email", now));
  const [row] = await db
    .update(users)
    .set({
      emailVerifiedAt: now,
      ...(passwordHash !== undefined && {
        passwordHash,
        passwordProved: true,
        provedByResetAt: now,
        tokenVersion: sql`${users.tokenVersion} + 1`,
      }),
    })
    .where(and(inArray(users.id, owner), isNull(users.emailVerifiedAt), isNull(users.disabledAt)))
    .returning();
  return row;
}

/** Revokes the token of a user and purpose, if there is one. */
export async function voidMailedToken(db: Queryable, userId: string, purpose: LinkPurpose): Promise<void> {
  await db.delete(mailedTokens).where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.purpose, purpose)));
}

/** Removes up to `rows` tokens that are no longer valid, and returns how many were removed. */
export async function forgetMailedTokens(db: Queryable, now: Date, rows: number): Promise<number> {
  const over = db
    .select({ hash: mailedTokens.hash })
    .from(mailedTokens)
    .where(lt(mailedTokens.expiresAt, now))
    .limit(rows);
  return (await db.delete(mailedTokens).where(sql`${mailedTokens.hash} in ${over}`)).rowCount ?? 0;
}
