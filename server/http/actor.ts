import type { Access } from "../../contract/endpoint.ts";
import { scopesOf } from "../../contract/endpoint.ts";
import { satisfies } from "../../contract/scopes.ts";
import { fail } from "./failure.ts";
import type { Actor } from "./handler.ts";

export const API_KEY_PREFIX = "svc_live_";

/** Turns a credential into who it stands for. Throws the `Failure` that says what is wrong with it. */
export interface Verifiers {
  readonly session: (token: string) => Promise<Actor>;
  readonly key: (plaintext: string) => Promise<Actor>;
}

/** Who calls, by the `Authorization` header alone; the shape of the token decides which credential it is. */
export async function identify(header: string | undefined, verifiers: Verifiers): Promise<Actor> {
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
