import { randomBytes } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { limits } from "../../contract/limits.ts";
import type { Clock } from "./clock.ts";
import { isWellFormedId } from "./ids.ts";

/** The user of a session token, and the version of that user's tokens for which it was issued. */
export interface SessionClaims {
  readonly userId: string;
  readonly tokenVersion: number;
}

/** Issues and reads session tokens; the reader checks whether their version is still current. */
export interface SessionTokens {
  issue(claims: SessionClaims): Promise<{ token: string; expiresAt: Date }>;
  /**
   * Returns null for anything that is not a valid session token now: malformed, forged, made for something else,
   * expired.
   */
  read(token: string): Promise<SessionClaims | null>;
}

const ALGORITHM = "HS256";
const TYPE = "JWT";
/** Names, not addresses: a token outlives a restart on another port, and holds on every process that shares the secret. */
const ISSUER = "estimation-service";
const AUDIENCE = "estimation-service:api";
/** Makes all tokens different, even those of one user within one second. */
const ID_BYTES = 16;
/** How far the clock of another issuing process may be ahead. */
const SKEW_SECONDS = 60;
/** Tokens of this service have under 400 characters. */
const TOKEN_LENGTH_MAX = 1_000;
/** Three parts of base64url, the last one exactly 32 bytes: a token has one spelling, without padding or stray bits. */
const WELL_FORMED = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * JSON Web Tokens signed with HMAC-SHA256, an hour long. Algorithm, type, issuer and audience are pinned, so that neither
 * an unsigned token nor one signed for another purpose is ever read.
 */
export function createSessionTokens(secret: Uint8Array, clock: Clock): SessionTokens {
  const importing = crypto.subtle.importKey("raw", Buffer.from(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
  return {
    async issue({ userId, tokenVersion }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      const expiresAt = issuedAt + limits.sessionSeconds;
      const token = await new SignJWT({ tokenVersion })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setJti(randomBytes(ID_BYTES).toString("base64url"))
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(await importing);
      return { token, expiresAt: new Date(expiresAt * 1000) };
    },
    async read(token) {
      if (token.length > TOKEN_LENGTH_MAX || !WELL_FORMED.test(token)) return null;
      try {
        const { payload } = await jwtVerify(token, await importing, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ["iat", "exp"],
          currentDate: clock.now(),
        });
        const { sub, tokenVersion, iat = 0, exp = Number.POSITIVE_INFINITY } = payload;
        // The service issues no such token, so somebody who had the secret for a moment cannot use one for years.
        const isOurs = exp - iat <= limits.sessionSeconds && iat <= clock.now().getTime() / 1000 + SKEW_SECONDS;
        return isOurs && typeof sub === "string" && isWellFormedId(sub) && Number.isSafeInteger(tokenVersion)
          ? { userId: sub, tokenVersion: tokenVersion as number }
          : null;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
