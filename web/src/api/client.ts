import type { User } from "../../../contract/auth.ts";
import { clientOf } from "../../../contract/client-of.ts";
import type { Contract } from "../../../contract/index.ts";
import { routes } from "../../../contract/routes.gen.ts";
import { currentSession, endSession, keepSession } from "./session.ts";

/** What a refusal says when it is the token that is refused, not a password that was typed. */
const TOKEN_REFUSED = ["Invalid or expired token", "token_revoked", "Missing or invalid authorization header"];

/** Sends a request; where the token is refused, the session has ended in every tab. */
const send: typeof fetch = async (input, init) => {
  const used = currentSession()?.token;
  const response = await fetch(input, init);
  if (response.status === 401 && used !== undefined && used === currentSession()?.token) {
    const { message } = (await response.clone().json()) as { message: string };
    if (TOKEN_REFUSED.includes(message)) endSession("expired");
  }
  return response;
};

/** The API, typed by the contract, with the token of whoever is signed in. */
export const api = clientOf<Contract>(routes, "", () => currentSession()?.token ?? null, send);

/** Keeps what a sign-in answered. */
export function signedIn({ token, user }: { readonly token: string; readonly user: User }): void {
  const { id: userId, email, name, emailVerifiedAt } = user;
  keepSession({ token, userId, email, name, isVerified: emailVerifiedAt !== null, receivedAt: Date.now() });
}
