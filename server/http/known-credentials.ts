import { createHash } from "node:crypto";
import type { Clock } from "../platform/clock.ts";

const REMEMBERED_MS = 600_000;
const REMEMBERED_MAX = 50_000;

/**
 * Whom credentials stood for when they were last looked up: only to know whom a request counts for before it costs a query.
 * It lets nobody in. Credentials are kept as hashes, the latest of them, and for minutes.
 */
export interface KnownCredentials {
  /** The user; null for one that was refused; undefined where it is not remembered. */
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
