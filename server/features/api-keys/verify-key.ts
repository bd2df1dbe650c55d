import { createLastUsed } from "../../http/callers/last-used.ts";
import { fail } from "../../http/failure.ts";
import type { GivenCredential } from "../../http/steps/identify-caller.ts";
import type { Services } from "../../services/index.ts";
import { hashOf, isWellFormedKey } from "./plaintext.ts";
import { noteUses, prepareCredential } from "./store.ts";

/** Verifies API keys and records when they were last used. */
export interface KeyVerifier {
  /**
   * Reads a key. Throws the `Failure` `api_key_invalid` for a malformed one at once, and for one that is not valid now
   * when `prove` is called.
   */
  read(plaintext: string): GivenCredential;
  /** Writes when keys were last used, which otherwise happens every few seconds. */
  flush(): Promise<void>;
  /** Stops the periodic writing after a last one. */
  stop(): Promise<void>;
}

const MALFORMED =
  "A key is `svc_live_` and 44 letters, digits, - and _. A part of this one is missing or mistyped: copy all of it.";

/** A mistyped key is refused without a query; any other key costs one, by the unique index on the hashes. */
export function createKeyVerifier(services: Pick<Services, "clock" | "pool" | "log">): KeyVerifier {
  const { clock, pool } = services;
  const findCredential = prepareCredential(pool);
  const lastUsed = createLastUsed(services, "API keys", (uses) => noteUses(pool, uses));

  return {
    read(plaintext) {
      if (!isWellFormedKey(plaintext)) fail("api_key_invalid", { hint: MALFORMED });
      return {
        credential: plaintext,
        userId: null,
        async prove() {
          const found = await findCredential(hashOf(plaintext));
          const now = clock.now();
          if (!found) fail("api_key_invalid");
          const { revokedAt, expiresAt } = found;
          if (revokedAt) fail("api_key_invalid", { hint: `This key was revoked at ${revokedAt.toISOString()}.` });
          if (expiresAt && expiresAt <= now)
            fail("api_key_invalid", { hint: `This key expired at ${expiresAt.toISOString()}: make another one.` });
          lastUsed.note(found.id, now);
          const { id, userId, scopes } = found;
          return { userId, credential: "key", apiKeyId: id, scopes, tokenVersion: null, session: null };
        },
      };
    },
    flush: lastUsed.flush,
    stop: lastUsed.stop,
  };
}
