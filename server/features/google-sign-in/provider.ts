import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { Services } from "../../services/index.ts";
import type { PendingSignIn } from "./browser-cookie.ts";
import type { Discover } from "./discovery.ts";
import { faultOf, isUnavailable } from "./fault.ts";
import { refuse } from "./refusal.ts";

/**
 * What a provider says about a person. Only issuer and subject identify the person; everything else may change there.
 */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: unknown;
  readonly emailVerified: unknown;
  readonly name: unknown;
  readonly picture: unknown;
}

/** The OpenID provider, as far as a sign-in needs it. */
export interface Provider {
  /** Returns where to send the browser, and what it must come back with. Refuses with `provider_unavailable`. */
  begin(): Promise<{ location: string; checks: Omit<PendingSignIn, "expiresAtMs"> }>;
  /**
   * Redeems what the browser came back with, and verifies by the ID token who signed in. Refuses with `access_denied`,
   * `provider_unavailable` or `sign_in_failed`.
   */
  finish(response: URLSearchParams, pending: PendingSignIn): Promise<Claims>;
}

/** How far the provider's clock may be ahead of ours. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

export function createProvider(
  discover: Discover,
  redirectUri: string,
  { clock, log }: Pick<Services, "clock" | "log">,
): Provider {
  return {
    async begin() {
      const configuration = await discover();
      const checks = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const location = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
        code_challenge_method: "S256",
      });
      return { location: location.href, checks };
    },

    async finish(response, pending) {
      const configuration = await discover();
      const address = new URL(redirectUri);
      address.search = response.toString();
      try {
        const tokens = await authorizationCodeGrant(configuration, address, {
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          pkceCodeVerifier: pending.codeVerifier,
          idTokenExpected: true,
        });
        const token = tokens.claims();
        if (!token) throw new Error("there is no ID token");
        checkIdToken(token, configuration, clock.now());
        return await claimsOf(token, configuration, tokens.access_token);
      } catch (error) {
        log.warn({ issuer: configuration.serverMetadata().issuer, fault: faultOf(error) }, "a sign-in was refused");
        if (error instanceof AuthorizationResponseError && error.error === "access_denied") refuse("access_denied");
        return refuse(isUnavailable(error) ? "provider_unavailable" : "sign_in_failed", { cause: error });
      }
    },
  };
}

/**
 * Checks what OpenID Connect Core 1.0, section 3.1.3.7, requires beyond what the library has already checked
 * (signature, issuer, audience, nonce, expiry): the token is only for this client, and was not issued in the future.
 */
function checkIdToken({ aud, azp, iat, sub }: IDToken, configuration: Configuration, now: Date): void {
  const { client_id: clientId } = configuration.clientMetadata();
  if (Array.isArray(aud) && aud.length !== 1) throw new Error("the ID token is also for other clients");
  if (azp !== undefined && azp !== clientId) throw new Error("the ID token was issued to another client");
  if (iat > now.getTime() / 1_000 + CLOCK_TOLERANCE_SECONDS) throw new Error("the ID token was issued in the future");
  if (!SUBJECT.test(sub)) throw new Error("the ID token has no usable subject");
}

/** Many providers leave the e-mail address out of the ID token and return it from their UserInfo endpoint. */
async function claimsOf(token: IDToken, configuration: Configuration, accessToken: string): Promise<Claims> {
  const elsewhere = token.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const said = elsewhere ? await fetchUserInfo(configuration, accessToken, token.sub) : token;
  return {
    issuer: token.iss,
    subject: token.sub,
    email: said.email,
    emailVerified: said.email_verified,
    name: said.name,
    picture: said.picture,
  };
}
