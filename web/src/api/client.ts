import { type CallableEndpoint, clientOf } from "../../../contract/client/client-of.ts";
import { routes } from "../../../contract/client/routes.gen.ts";
import type { User } from "../../../contract/endpoints/auth.ts";
import type { Contract } from "../../../contract/index.ts";
import { dropEarly, takeEarly } from "./early.ts";
import { responseOf, SecretLost } from "./failure.ts";
import { currentSession, endSession, keepSession, rereadSession } from "./session.ts";
import { startSubmissions } from "./submissions.ts";

/** What a refusal says when it is the token that is refused, not a password that was typed. */
const TOKEN_REFUSED = ["Invalid or expired token", "token_revoked", "Missing or invalid authorization header"];

/** Sends a request; where the token is refused, the session has ended in every tab. */
const send: typeof fetch = async (input, init) => {
  const used = currentSession()?.token;
  const isRead = typeof input === "string" && init?.method === "GET";
  if (!isRead) dropEarly();
  const early = isRead ? takeEarly(input, init.headers as Record<string, string>) : undefined;
  const response = await (early ?? fetch(input, init));
  // Another tab may have renewed the token a moment ago: that session goes on.
  if (response.status === 401 && used !== undefined && used === rereadSession()?.token) {
    // Anything but JSON is a proxy's refusal, which says nothing about the token.
    const { message = "" } = await response
      .clone()
      .json()
      .catch(() => ({}));
    if (TOKEN_REFUSED.includes(message)) endSession("expired");
  }
  return response;
};

const plain = clientOf<Contract>(routes, "", () => currentSession()?.token ?? null, send);
const submissions = startSubmissions();

interface AnyRequest {
  readonly params?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type AnyCall = (request?: AnyRequest) => Promise<{ readonly headers: Headers }>;

/** Returns `call`, changed so that it throws `NoResponse` where it failed without a response. */
const throwingNoResponse =
  (call: AnyCall): AnyCall =>
  (request) =>
    responseOf(call(request));

/** Returns `call`, changed so that it is carried out once, even if its response is lost and it is retried. */
function onceEach(id: string, { method, takesKey, hasSecret }: CallableEndpoint, call: AnyCall): AnyCall {
  if (method === "DELETE") {
    return async (request) => {
      const response = await call(request);
      submissions.forget();
      return response;
    };
  }
  if (!takesKey) return call;
  return async (request = {}) => {
    const called = `${id} ${JSON.stringify(request.params)}`;
    const response = await submissions.run(called, JSON.stringify(request), (key) =>
      call({ ...request, headers: { ...request.headers, "idempotency-key": key } }),
    );
    if (hasSecret && response.headers.has("idempotent-replayed")) throw new SecretLost();
    return response;
  };
}

/** The API, typed by the contract, with the token of whoever is signed in. */
export const api = Object.fromEntries(
  Object.entries<CallableEndpoint>(routes).map(([id, row]) => [
    id,
    onceEach(id, row, throwingNoResponse(plain[id as keyof typeof plain] as unknown as AnyCall)),
  ]),
) as unknown as typeof plain;

/** Stores the session from the response to a sign-in. */
export function signedIn({ token, user }: { readonly token: string; readonly user: User }): void {
  const { id: userId, email, name, emailVerifiedAt, isAdministrator } = user;
  const isVerified = emailVerifiedAt !== null;
  keepSession({ token, userId, email, name, isVerified, isAdministrator, receivedAt: Date.now() });
}
