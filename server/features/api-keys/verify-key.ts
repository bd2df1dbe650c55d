import { fail } from "../../http/failure.ts";
import type { Actor } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import { createLastUsed } from "./last-used.ts";
import { hashOf, isWellFormedKey } from "./plaintext.ts";
import { prepareCredential } from "./store.ts";

/** Judges API keys and keeps when they were last used. */
export interface KeyVerifier {
  /** Turns a key into the actor it stands for. Throws the `Failure` `api_key_invalid` for every key that is not good now. */
  verify(plaintext: string): Promise<Actor>;
  /** Writes when keys were last used, which is otherwise done every few seconds. */
  flush(): Promise<void>;
  /** Ends the regular writing after a last flush. */
  stop(): Promise<void>;
}

/** A mistyped key is refused without a query; any other costs one, by the unique index over the hashes. */
export function createKeyVerifier(services: Pick<Services, "clock" | "pool" | "log">): KeyVerifier {
  const { clock, pool } = services;
  const findCredential = prepareCredential(pool);
  const lastUsed = createLastUsed(services);

  return {
    async verify(plaintext) {
      const found = isWellFormedKey(plaintext) ? await findCredential(hashOf(plaintext)) : undefined;
      const now = clock.now();
      if (!found || found.revokedAt || (found.expiresAt && found.expiresAt <= now)) fail("api_key_invalid");
      lastUsed.note(found.id, now);
      const { id, userId, scopes } = found;
      return { userId, credential: "key", apiKeyId: id, scopes, tokenVersion: null };
    },
    flush: lastUsed.flush,
    stop: lastUsed.stop,
  };
}
