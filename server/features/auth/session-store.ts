import { eq, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { GivenCredential } from "../../http/steps/identify-caller.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import type { Services } from "../../services/index.ts";
import { users } from "./tables.ts";

/**
 * Reads session tokens; verifying one compares its version with the user's, on every call. Throws a `Failure`:
 * `token_invalid` for a token that is malformed, forged, expired or of a deleted user, `token_revoked` for a revoked
 * one.
 */
export function createSessionVerifier({
  sessionKeys,
  clock,
  pool,
}: Services): (token: string) => Promise<GivenCredential> {
  const tokens = createSessionTokens(sessionKeys, clock);
  const readTokenVersion = prepareTokenVersion(pool);
  return async (token) => {
    const claims = await tokens.read(token);
    if (claims === "expired") fail("token_invalid", { hint: "This session has expired: sign in again." });
    if (!claims) fail("token_invalid");
    const { userId, tokenVersion } = claims;
    return {
      credential: token,
      userId,
      async prove() {
        const current = await readTokenVersion(userId);
        if (current === undefined) fail("token_invalid");
        if (current !== tokenVersion) fail("token_revoked");
        return { userId, credential: "session", apiKeyId: null, scopes: [], tokenVersion };
      },
    };
  };
}

/** Reads a user's token version with one prepared query by primary key; undefined if there is no such user. */
function prepareTokenVersion(pool: Database): (id: string) => Promise<number | undefined> {
  const query = pool
    .select({ tokenVersion: users.tokenVersion })
    .from(users)
    .where(eq(users.id, sql.placeholder("id")))
    .prepare("user_token_version");
  return async (id) => (await query.execute({ id }))[0]?.tokenVersion;
}
