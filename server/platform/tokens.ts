import { hash, randomBytes, type webcrypto } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { limits } from "../../contract/limits.ts";
import type { Clock } from "./clock.ts";
import { isWellFormedId } from "./ids.ts";

/** The user and the session of a token, and the version of the user's tokens for which it was issued. */
export interface SessionClaims {
  readonly userId: string;
  readonly tokenVersion: number;
  /** The session that it belongs to. */
  readonly sessionId: string;
}

/** Issues and reads session tokens; the reader checks whether their version is still current. */
export interface SessionTokens {
  /** Issues a token for an hour, or up to the end of its session, if that is sooner. */
  issue(claims: SessionClaims, endsAt?: Date): Promise<{ token: string; expiresAt: Date }>;
  /**
   * Returns null for anything that is no session token of this service: malformed, forged, made for something else.
   * `expired`: it was one.
   */
  read(token: string): Promise<SessionClaims | "expired" | null>;
}

const ALGORITHM = "HS256";
const TYPE = "JWT";
/**
 * Names, not addresses: a token survives a restart on another port, and is valid for every process that shares the
 * secret.
 */
const ISSUER = "estimation-service";
const AUDIENCE = "estimation-service:api";
/** Makes all tokens different, even those of one user within one second. */
const ID_BYTES = 16;
/** How far the clock of another issuing process may be ahead. */
const SKEW_SECONDS = 60;
/** Tokens of this service have under 400 characters. */
const TOKEN_LENGTH_MAX = 1_000;
/** Genuine tokens that are remembered, the last ones read. */
const REMEMBERED_MAX = 10_000;
/** Three parts of base64url, the last one exactly 32 bytes: a token has one spelling, without padding or stray bits. */
const WELL_FORMED = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** The keys of session tokens, at least 32 bytes each. */
export interface SessionKeys {
  /** Those that a token may be signed with. */
  readonly valid: readonly Uint8Array[];
  /** Returns the one that new tokens are signed with. */
  readonly inUse: () => Promise<Uint8Array>;
}

const importKey = (secret: Uint8Array, use: "sign" | "verify"): Promise<webcrypto.CryptoKey> =>
  crypto.subtle.importKey("raw", Buffer.from(secret), { name: "HMAC", hash: "SHA-256" }, false, [use]);

const isId = (value: unknown): value is string => typeof value === "string" && isWellFormedId(value);

/** What a genuine token says, and when it holds, in seconds since 1970. */
interface Genuine {
  readonly claims: SessionClaims;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * JSON Web Tokens signed with HMAC-SHA256, an hour long. Algorithm, type, issuer and audience are pinned, so that neither
 * an unsigned token nor one signed for another purpose is ever read.
 *
 * A signature is checked in one of Node's few threads, where passwords are hashed and responses compressed as well. Genuine
 * tokens are therefore remembered, by their hash: only the first request with one waits for a thread.
 */
export function createSessionTokens(
  { valid, inUse }: SessionKeys,
  clock: Clock,
  rememberedMax = REMEMBERED_MAX,
): SessionTokens {
  const importing = Promise.all(valid.map((secret) => importKey(secret, "verify")));
  const remembered = new Map<string, Genuine>();
  const verify = async (token: string): Promise<Genuine | "expired" | null> => {
    for (const key of await importing) {
      const read = await verifyWith(key, token);
      if (read !== "other key") return read;
    }
    return null;
  };
  const verifyWith = async (
    key: webcrypto.CryptoKey,
    token: string,
  ): Promise<Genuine | "expired" | "other key" | null> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["iat", "exp"],
        currentDate: clock.now(),
      });
      const { sub, sid, tokenVersion, iat: issuedAt = 0, exp: expiresAt = Number.POSITIVE_INFINITY } = payload;
      // The service issues no such token, so a thief who had the secret for a moment cannot use one for years.
      const isOurs = expiresAt - issuedAt <= limits.sessionSeconds && payload.nbf === undefined;
      return isOurs && isId(sub) && isId(sid) && Number.isSafeInteger(tokenVersion)
        ? { claims: { userId: sub, tokenVersion: tokenVersion as number, sessionId: sid }, issuedAt, expiresAt }
        : null;
    } catch (error) {
      // The signature was checked before.
      if (error instanceof errors.JWTExpired) return "expired";
      if (error instanceof errors.JWSSignatureVerificationFailed) return "other key";
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  };
  return {
    async issue({ userId, tokenVersion, sessionId }, endsAt) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      const endSeconds = endsAt ? Math.floor(endsAt.getTime() / 1000) : Number.POSITIVE_INFINITY;
      const expiresAt = Math.min(issuedAt + limits.sessionSeconds, endSeconds);
      const token = await new SignJWT({ tokenVersion, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setJti(randomBytes(ID_BYTES).toString("base64url"))
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(await importKey(await inUse(), "sign"));
      return { token, expiresAt: new Date(expiresAt * 1000) };
    },
    async read(token) {
      if (token.length > TOKEN_LENGTH_MAX || !WELL_FORMED.test(token)) return null;
      const digest = hash("sha256", token, "base64");
      const found = remembered.get(digest) ?? (await verify(token));
      if (found === null || found === "expired") return found;
      remembered.delete(digest);
      const seconds = clock.now().getTime() / 1000;
      if (seconds >= found.expiresAt) return "expired";
      if (found.issuedAt > seconds + SKEW_SECONDS) return null;
      remembered.set(digest, found);
      if (remembered.size > rememberedMax) remembered.delete(remembered.keys().next().value as string);
      return found.claims;
    },
  };
}
