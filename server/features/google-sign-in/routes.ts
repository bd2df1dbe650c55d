import type { googleSignIn } from "../../../contract/google-sign-in.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import type { Services } from "../../services.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { presentUser } from "../auth/index.ts";
import { hashOf } from "./exchange-code.ts";
import { createSignIn } from "./sign-in.ts";
import { useExchangeCode } from "./store.ts";

export const googleSignInRoutes = (services: Services): Handlers<typeof googleSignIn> => {
  const { google } = services.config;
  const signIn = google && createSignIn(services, google);
  const tokens = createSessionTokens(services.sessionSecret, services.clock);

  return {
    startGoogleSignIn: async ({ now }) => (signIn ?? fail("google_sign_in_disabled")).begin(now),

    finishGoogleSignIn: async ({ query, cookie, ip, userAgent, now }) =>
      (signIn ?? fail("google_sign_in_disabled")).finish(query, cookie, { ip, userAgent, now }),

    async exchangeCode({ body, db, ip, userAgent, now }) {
      const user = (await useExchangeCode(db, hashOf(body.code), now)) ?? fail("invalid_exchange_code");
      await recordIdentityEvent(db, services, { userId: user.id, event: "google.signed_in", ip, userAgent, now });
      const { token, expiresAt } = await tokens.issue({ userId: user.id, tokenVersion: user.tokenVersion });
      return { data: { user: presentUser(user), token, expiresAt: expiresAt.toISOString() } };
    },
  };
};
