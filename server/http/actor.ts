import type { Access } from "../../contract/endpoint.ts";
import { scopesOf } from "../../contract/endpoint.ts";
import { satisfies } from "../../contract/scopes.ts";
import { fail } from "./failure.ts";
import type { Actor } from "./handler.ts";

export const API_KEY_PREFIX = "svc_live_";

/** A credential that is well-formed: what it says of itself, without a query. */
export interface Claim {
  readonly credential: string;
  /** The user whom it names, by a signature of ours; null where only a query can tell. */
  readonly userId: string | null;
  /** Asks whether it is good now. Throws the `Failure` that says what is wrong with it. */
  prove(): Promise<Actor>;
}

/** Reads credentials of each kind. Refuses (401) what cannot be one. */
export interface Verifiers {
  readonly session: (token: string) => Promise<Claim>;
  readonly key: (plaintext: string) => Claim;
}

/** Who says to call, by the `Authorization` header alone; the shape of the token decides which credential it is. */
export async function claimOf(header: string | undefined, verifiers: Verifiers): Promise<Claim> {
  const token = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (token === undefined) fail("authorization_missing");
  return token.startsWith(API_KEY_PREFIX) ? verifiers.key(token) : verifiers.session(token);
}

/** The access gate of a row. A session passes every scope; a key passes none of the session-only rows. */
export function authorise(actor: Actor, access: Access): void {
  if (actor.credential === "session") return;
  if (access === "session") fail("session_token_required");
  const wanted = scopesOf(access);
  if (wanted.length === 0 || wanted.some((scope) => satisfies(actor.scopes, scope))) return;
  fail("api_key_insufficient_scope", {
    details: { requiredScope: wanted.length === 1 ? (wanted[0] as string) : wanted },
  });
}
