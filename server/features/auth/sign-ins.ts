import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { ActorSession } from "../../http/handler.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent, storedUserAgent } from "../audit-log/index.ts";
import { requestAccountMail } from "./account-mails.ts";
import { extendSession, insertSession } from "./session-store.ts";
import { noteSignIn, type UserRow } from "./store.ts";
import { createThrottle } from "./throttle.ts";

/**
 * Further work when a user signs in or verifies an e-mail address, in the same transaction `tx`: if it throws, nobody
 * has signed in and nothing is verified. It may run twice for one user at the same time.
 */
export type OnSignedIn = (tx: Queryable, user: UserRow, moment: Moment) => Promise<void>;

/** When and from where a user signs in. */
type Moment = Origin & { readonly now: Date };

/** How a user signed in or, without a session, verified the address. */
type Way = "session.created" | "google.signed_in" | "email.verified" | "password.reset";

/** A session to issue a token of. */
export interface OpenSession extends Omit<ActorSession, "isAdministrator"> {
  readonly userId: string;
  readonly tokenVersion: number;
}

/** What all ways of signing in and verifying an address share. */
export interface SignIns {
  /** Records within the transaction `tx` that the user signed in or verified the address, and does the further work. */
  record(tx: Queryable, user: UserRow, moment: Moment & { readonly event: Way }): Promise<void>;
  /**
   * Opens a session within the transaction `tx` of a sign-in, and mails its owner if the account was never used from this
   * address. Returns null if the account is disabled.
   */
  open(tx: Queryable, user: UserRow, moment: Moment): Promise<OpenSession | null>;
  /** Makes a token of a session; for `db`, also stores how long that one is valid. Refuses (401) a session that has ended. */
  issueToken(session: OpenSession, db?: Queryable): Promise<{ token: string; expiresAt: string }>;
}

const DAY_MS = 86_400_000;

/** When a session ends that began with a sign-in at `signedInAt`, however often it is renewed. */
export const endOf = (signedInAt: Date): Date => new Date(signedInAt.getTime() + limits.sessionDays * DAY_MS);

/** When a token expires that is issued now. */
const expiryOf = (signedInAt: Date, now: Date): Date =>
  new Date(Math.min(now.getTime() + limits.sessionSeconds * 1_000, endOf(signedInAt).getTime()));

export function createSignIns(services: Services, onSignedIn: readonly OnSignedIn[]): SignIns {
  const { sessionKeys, clock, ids } = services;
  const tokens = createSessionTokens(sessionKeys, clock);
  const throttle = createThrottle(services, "failed-passwords");
  return {
    async record(tx, user, { event, ip, userAgent, now }) {
      await recordIdentityEvent(tx, services, { userId: user.id, event, ip, userAgent, now });
      for (const act of onSignedIn) await act(tx, user, { ip, userAgent, now });
    },
    async open(tx, { id: userId, email, tokenVersion, lastSignInAt }, { ip, userAgent, now }) {
      if (!(await noteSignIn(tx, userId, now))) return null;
      const session = { id: ids.next("session"), userId, tokenVersion, signedInAt: now };
      const expiresAt = expiryOf(now, clock.now());
      await insertSession(tx, { ...session, ip, userAgent: storedUserAgent(userAgent), lastUsedAt: now, expiresAt });
      if (ip === null) return session;
      const isKnown = await throttle.remember(tx, { email, ip }, now);
      // Whoever signs in for the first time knows where they are.
      if (!isKnown && lastSignInAt !== null)
        await requestAccountMail(tx, userId, "new-sign-in", now, { sessionId: session.id });
      return session;
    },
    async issueToken({ id: sessionId, userId, tokenVersion, signedInAt }, db) {
      if (db && !(await extendSession(db, sessionId, expiryOf(signedInAt, clock.now())))) fail("token_revoked");
      const { token, expiresAt } = await tokens.issue({ userId, tokenVersion, sessionId }, endOf(signedInAt));
      return { token, expiresAt: expiresAt.toISOString() };
    },
  };
}
