import Type from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { Shape } from "../shapes.ts";
import { session, User } from "./auth.ts";

/** Every `error` of a failed sign-in that the browser is redirected with. */
export const signInErrors = {
  access_denied: "The user or the provider declined",
  sign_in_expired:
    "The browser did not begin this sign-in, took more than ten minutes, has begun another one since, or has already finished it; begin again",
  email_not_verified: "The provider does not say that the e-mail address is verified",
  account_not_verified:
    "An account with this e-mail address exists, but its address is not verified: first sign in with its password, or reset the password by mail, and verify the address",
  account_linked: "The account with this e-mail address is linked to another identity of the same provider",
  registration_closed:
    "There is no account with this e-mail address, and this instance does not accept registrations, or not from its domain",
  provider_unavailable: "The provider cannot be reached; try again later",
  service_unavailable: "The service itself could not finish the sign-in; begin again later",
  account_disabled: "An administrator has disabled the account",
  sign_in_failed: "The provider's response does not prove who signed in",
} as const;

export type SignInError = keyof typeof signInErrors;

const signInErrorNames = Object.keys(signInErrors) as SignInError[];

const outcomes = signInErrorNames.map((name) => `\`${name}\`: ${signInErrors[name]}.`).join(" ");

/**
 * A parameter of the provider's response. Any value is accepted: a wrong one redirects the browser with an error. An
 * error in JSON is sent only before the sign-in is processed: too many requests, an API key in the URL, or an
 * instance that is not configured for it.
 */
const returned = (description: string) => Type.Optional(Type.Unknown({ description }));

export const googleSignIn = endpoints({
  startGoogleSignIn: {
    method: "GET",
    path: "/api/auth/google",
    summary: "Redirect the browser to Google, or the configured OpenID provider, to sign in",
    description:
      "A URL for browsers to open. 404 unless the instance is configured for it. A cookie ties the sign-in to this browser for ten minutes.",
    access: "anyone",
    response: {
      status: 302,
      location:
        "The provider's page for signing in; `{web_url}/auth/callback?error=provider_unavailable` if it cannot be reached",
    },
    errors: ["google_sign_in_disabled"],
  },
  finishGoogleSignIn: {
    method: "GET",
    path: "/api/auth/google/callback",
    summary: "Receive the browser when it comes back from the provider",
    description: `The browser is redirected with a one-time code for \`POST /api/auth/exchange\`, or with an error. The session token is never in a URL. ${outcomes}`,
    access: "anyone",
    query: Type.Object({
      code: returned("The provider's code"),
      state: returned("The state that the browser was sent to the provider with"),
      iss: returned("The provider"),
      error: returned("Why there is no code"),
    }),
    response: { status: 302, location: "`{web_url}/auth/callback?code=<one-time-code>` or `?error=<name>`" },
    errors: ["google_sign_in_disabled"],
  },
  exchangeCode: {
    method: "POST",
    path: "/api/auth/exchange",
    summary: "Exchange the one-time code of a Google sign-in for a session token",
    description: `A code works once, within ${limits.exchangeCodeSeconds} seconds, unless the user's sessions are revoked meanwhile. The code is the proof; an Authorization header is not read.`,
    access: "anyone",
    body: Shape({
      // Any value: a missing or a malformed code gets the same error as an unknown one.
      code: Type.Optional(Type.Unknown({ description: "The `code` of the callback's URL" })),
    }),
    bodyOptional: true,
    response: {
      status: 200,
      data: Shape({ user: User.ref, ...session }),
    },
    errors: ["invalid_exchange_code"],
    events: ["share.accepted"],
  },
});
