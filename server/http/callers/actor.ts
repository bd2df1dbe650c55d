import type { Access } from "../../../contract/endpoint.ts";
import { lackingScope } from "../../../contract/endpoint.ts";
import { fail } from "../failure.ts";
import type { Actor } from "../handler.ts";

export const API_KEY_PREFIX = "svc_live_";

/** A well-formed credential: what it says about itself, without a query. */
export interface GivenCredential {
  readonly credential: string;
  /** The user it names under the service's own signature; null if only a query can tell. */
  readonly userId: string | null;
  /** Checks whether it is valid now. Throws the `Failure` that says what is wrong with it. */
  prove(): Promise<Actor>;
}

/** Reads credentials of each kind. Refuses (401) anything that cannot be a credential. */
export interface Verifiers {
  readonly session: (token: string) => Promise<GivenCredential>;
  readonly key: (plaintext: string) => GivenCredential;
}

/** Returns the credential from the `Authorization` header, the only source; the token's shape decides its kind. */
export async function credentialOf(header: string | undefined, verifiers: Verifiers): Promise<GivenCredential> {
  const token = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (token === undefined) fail("authorization_missing");
  if (/^["'`]/.test(token)) fail("token_invalid", { hint: "Send the key or token without quotes around it." });
  return token.startsWith(API_KEY_PREFIX) ? verifiers.key(token) : verifiers.session(token);
}

/** Checks the actor against an endpoint's scope. A session has every scope; a key may use none of the session-only endpoints. */
export function authorise(actor: Actor, access: Access): void {
  if (actor.credential === "session") return;
  if (access === "session") fail("session_token_required");
  const requiredScope = lackingScope(access, actor.scopes);
  if (requiredScope !== null) fail("api_key_insufficient_scope", { details: { requiredScope } });
}
