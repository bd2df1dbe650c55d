import type { googleSignIn } from "../../../contract/endpoints/google-sign-in.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { presentUser, type SignIns } from "../auth/index.ts";
import { hashOf } from "./exchange-code.ts";
import { createSignIn } from "./sign-in.ts";
import { useExchangeCode } from "./store.ts";

export const googleSignInRoutes = (services: Services, signIns: SignIns): Handlers<typeof googleSignIn> => {
  const { google } = services.config;
  const signIn = google && createSignIn(services, google);

  return {
    startGoogleSignIn: async ({ now }) => (signIn ?? fail("google_sign_in_disabled")).begin(now),

    finishGoogleSignIn: async ({ query, cookie, ip, userAgent, now }) =>
      (signIn ?? fail("google_sign_in_disabled")).finish(query, cookie, { ip, userAgent, now }),

    async exchangeCode({ body, db, ip, userAgent, now }) {
      if (typeof body.code !== "string") fail("invalid_exchange_code");
      const user = (await useExchangeCode(db, hashOf(body.code), now)) ?? fail("invalid_exchange_code");
      await signIns.record(db, user, { event: "google.signed_in", ip, userAgent, now });
      const session = (await signIns.open(db, user, { ip, userAgent, now })) ?? fail("invalid_exchange_code");
      return { data: { user: presentUser(user), ...(await signIns.issueToken(session)) } };
    },
  };
};
