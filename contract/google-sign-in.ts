import Type from "typebox";
import { session, User } from "./auth.ts";
import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Shape } from "./shapes.ts";

/** Every `error` with which a browser comes back from a sign-in that came to nothing, declared once. */
export const signInErrors = {
  access_denied: "The user or the provider declined",
  sign_in_expired:
    "The browser did not begin this sign-in, took more than ten minutes, began another one since, or has finished it already; beginning again helps",
  email_not_verified: "The provider does not say that the e-mail address is verified",
  account_not_verified:
    "An account with this e-mail address exists that has not proved to own it: sign in to it with its password, or reset that by mail, and verify the address first",
  account_linked: "The account with this e-mail address belongs to another identity of the same provider",
  registration_closed: "There is no account with this e-mail address, and this instance takes no registrations",
  provider_unavailable: "The provider cannot be reached; trying again later may succeed",
  service_unavailable: "The service itself could not finish the sign-in; beginning again later may succeed",
  sign_in_failed: "What the provider answered does not prove who signed in",
} as const;

export type SignInError = keyof typeof signInErrors;

const signInErrorNames = Object.keys(signInErrors) as SignInError[];

const outcomes = signInErrorNames.map((name) => `\`${name}\`: ${signInErrors[name]}.`).join(" ");

/**
 * A parameter of the provider's answer. Whatever comes is taken: a browser is sent on with an error, and shown one in JSON only
 * where no sign-in is looked at: too many requests, an API key in the address, an instance that is not configured for it.
 */
const answered = (description: string) => Type.Optional(Type.Unknown({ description }));

export const googleSignIn = endpoints({
  startGoogleSignIn: {
    method: "GET",
    path: "/api/auth/google",
    summary: "Send the browser to Google, or the OpenID provider that stands in for it, to sign in",
    description:
      "For a browser to navigate to. Only where the instance is configured for it; 404 elsewhere. A cookie ties what follows to this browser for ten minutes.",
    access: "anyone",
    reply: {
      status: 302,
      location:
        "The provider's page for signing in; `{web_url}/auth/callback?error=provider_unavailable` where it cannot be reached",
    },
    errors: ["google_sign_in_disabled"],
  },
  finishGoogleSignIn: {
    method: "GET",
    path: "/api/auth/google/callback",
    summary: "Where the provider sends the browser back",
    description: `The browser goes on with a one-time code for \`POST /api/auth/exchange\`, or with an error. The session token never stands in an address. ${outcomes}`,
    access: "anyone",
    query: Type.Object({
      code: answered("The provider's code"),
      state: answered("What the browser was sent away with"),
      iss: answered("The provider"),
      error: answered("Why there is no code"),
    }),
    reply: { status: 302, location: "`{web_url}/auth/callback?code=<one-time-code>` or `?error=<name>`" },
    errors: ["google_sign_in_disabled"],
  },
  exchangeCode: {
    method: "POST",
    path: "/api/auth/exchange",
    summary: "Exchange the one-time code of a Google sign-in for a session token",
    description: `A code is good for one exchange within ${limits.exchangeCodeSeconds} seconds, unless the user's sessions were revoked meanwhile. The code is the proof: an Authorization header is not read.`,
    access: "anyone",
    body: Shape({ code: Type.String({ description: "As it came in the address" }) }),
    invalidBody: "invalid_exchange_code",
    reply: {
      status: 200,
      data: Shape({ user: User.ref, ...session }),
    },
  },
});
