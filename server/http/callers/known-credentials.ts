import { hash } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";

const REMEMBERED_MS = 600_000;
const REMEMBERED_MAX = 50_000;

/**
 * Remembers which user each credential had at its last look-up, only to know which caller a request counts for before
 * it costs a query. It grants no access. Stores hashes of the most recent credentials, for minutes.
 */
export interface KnownCredentials {
  recall(credential: string): KnownCredential;
}

export interface KnownCredential {
  /** The user; null if the credential was refused; undefined if it is not remembered. */
  readonly userId: string | null | undefined;
  /** Remembers the result of a look-up. */
  note(userId: string | null): void;
}

export function createKnownCredentials(clock: Clock): KnownCredentials {
  const known = new Map<string, { readonly userId: string | null; readonly at: number }>();
  return {
    recall(credential) {
      const digest = hash("sha256", credential, "base64");
      const found = known.get(digest);
      return {
        userId: found && clock.now().getTime() - found.at < REMEMBERED_MS ? found.userId : undefined,
        note(userId) {
          known.delete(digest);
          known.set(digest, { userId, at: clock.now().getTime() });
          if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value as string);
        },
      };
    },
  };
}
