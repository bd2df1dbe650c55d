import type { Queryable } from "../../db/database.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import type { UserRow } from "./store.ts";

/**
 * Further work when a user signs in or verifies an e-mail address, in the same transaction `tx`: if it throws, nobody
 * has signed in and nothing is verified. It may run twice for one user at the same time.
 */
export type OnSignedIn = (tx: Queryable, user: UserRow, moment: Moment) => Promise<void>;

/** When and from where a user signs in. */
type Moment = Origin & { readonly now: Date };

/** How a user signed in or, without a session, verified the address. */
type Way = "session.created" | "google.signed_in" | "email.verified" | "password.reset";

/** What all ways of signing in and verifying an address share. */
export interface SignIns {
  /** Records within the transaction `tx` that the user signed in or verified the address, and does the further work. */
  record(tx: Queryable, user: UserRow, moment: Moment & { readonly event: Way }): Promise<void>;
  /** Makes a session token with this version of the user's tokens. */
  openSession(userId: string, tokenVersion: number): Promise<{ token: string; expiresAt: string }>;
}

export function createSignIns(services: Services, onSignedIn: readonly OnSignedIn[]): SignIns {
  const tokens = createSessionTokens(services.sessionKeys, services.clock);
  return {
    async record(tx, user, { event, ip, userAgent, now }) {
      await recordIdentityEvent(tx, services, { userId: user.id, event, ip, userAgent, now });
      for (const act of onSignedIn) await act(tx, user, { ip, userAgent, now });
    },
    async openSession(userId, tokenVersion) {
      const { token, expiresAt } = await tokens.issue({ userId, tokenVersion });
      return { token, expiresAt: expiresAt.toISOString() };
    },
  };
}
