import { createHash } from "node:crypto";
import type { Clock } from "../platform/clock.ts";

const REMEMBERED_MS = 600_000;
const REMEMBERED_MAX = 50_000;

/**
 * Remembers which user each credential had at its last look-up, only to know which caller a request counts for before
 * it costs a query. It grants no access. Stores hashes of the most recent credentials, for minutes.
 */
export interface KnownCredentials {
  /** The user; null if the credential was refused; undefined if it is not remembered. */
  userOf(credential: string): string | null | undefined;
  note(credential: string, userId: string | null): void;
}

export function createKnownCredentials(clock: Clock): KnownCredentials {
  const known = new Map<string, { readonly userId: string | null; readonly at: number }>();
  const hashOf = (credential: string) => createHash("sha256").update(credential).digest("base64");
  return {
    userOf(credential) {
      const found = known.get(hashOf(credential));
      return found && clock.now().getTime() - found.at < REMEMBERED_MS ? found.userId : undefined;
    },
    note(credential, userId) {
      const hash = hashOf(credential);
      known.delete(hash);
      known.set(hash, { userId, at: clock.now().getTime() });
      if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value as string);
    },
  };
}
