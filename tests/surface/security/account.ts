import type { Response, TestApp } from "../../harness.ts";
import { makeMailedTokens } from "../samples/auth.ts";
import { makeExchangeCode } from "../samples/google-sign-in.ts";

/** Calls about one's own account that these tests often make. */
export function accountCalls(app: TestApp) {
  const post = (path: string, body: unknown, token?: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.request("POST", path, { body, headers, ...(token === undefined ? {} : { token }) });
  return {
    me: (token: string, headers: Record<string, string> = {}) => app.request("GET", "/api/auth/me", { token, headers }),
    register: (email: string, password: string, more: object = {}) =>
      post("/api/auth/register", { email, password, ...more }),
    logIn: (email: string, password: string, headers: Record<string, string> = {}) =>
      post("/api/auth/login", { email, password }, undefined, headers),
    logOut: (token: string) => app.request("POST", "/api/auth/logout", { token }),
    renew: (token: string) => app.request("POST", "/api/auth/renew", { token }),
    change: (token: string, currentPassword: string, newPassword: string) =>
      post("/api/auth/change-password", { currentPassword, newPassword }, token),
    askForReset: (email: string, headers: Record<string, string> = {}) =>
      post("/api/auth/forgot-password", { email }, undefined, headers),
    reset: (token: string, password: string) => post("/api/auth/reset-password", { token, password }),
    verify: (token: string) => post("/api/auth/verify-email", { token }),
    exchange: (code: string) => post("/api/auth/exchange", { code }),
  };
}

/** A new user with a code to exchange for a session, and with mailed links: all that can be used once. */
export async function signUpWithLinks(app: TestApp) {
  const making = { app, user: await app.signUp() };
  return { user: making.user, ...(await makeExchangeCode(making)), ...(await makeMailedTokens(making)) };
}
