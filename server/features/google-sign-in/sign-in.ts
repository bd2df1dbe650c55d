import type { SignInError } from "../../../contract/endpoints/google-sign-in.ts";
import type { GoogleConfig } from "../../config.ts";
import { retryConflicts } from "../../db/failures.ts";
import type { Redirect } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { admit, type Moment, wasOvertaken } from "./admit.ts";
import { createBrowserCookie, type PendingSignIn } from "./browser-cookie.ts";
import { createDiscovery } from "./discovery.ts";
import { hashOf, issueExchangeCode } from "./exchange-code.ts";
import { type Claims, createProvider } from "./provider.ts";
import { refuse, SignInRefused } from "./refusal.ts";
import { finishSignIn } from "./store.ts";

/** A sign-in that is not finished within this time has to start again. */
const PENDING_SECONDS = 600;
const TRIES = 3;

/** Sends a browser to the provider and, once it is back, on to the web application: with a code, or with an error. */
export interface SignIn {
  begin(now: Date): Promise<Redirect>;
  /** `query` and `cookie` are what the browser came back with. */
  finish(query: Readonly<Record<string, unknown>>, cookie: string | null, moment: Moment): Promise<Redirect>;
}

export function createSignIn(services: Services, google: GoogleConfig): SignIn {
  const { config, pool, sealing } = services;
  const redirectUri = `${config.baseUrl}/api/auth/google/callback`;
  const provider = createProvider(createDiscovery(google, services), redirectUri, services);
  const browser = createBrowserCookie(config, sealing);
  const toWeb = (outcome: { code: string } | { error: SignInError }) =>
    `${config.webUrl}/auth/callback?${new URLSearchParams(outcome)}`;

  /**
   * Runs one part of the sign-in; if it is refused or fails, the browser goes to the web application with the error.
   */
  const orError = async (leg: () => Promise<string>, moment?: Moment): Promise<string> => {
    try {
      return await leg().catch(async (error: unknown) => {
        if (!(error instanceof SignInRefused)) throw error;
        const { userId } = error;
        if (userId && moment)
          await recordIdentityEvent(pool, services, { userId, event: "google.sign_in_failed", ...moment });
        return toWeb({ error: error.error });
      });
    } catch (error) {
      services.log.error({ err: error }, "a sign-in was given up");
      return toWeb({ error: "service_unavailable" });
    }
  };

  /** Account, identity and code are written together, or not at all. */
  const issueCode = async (claims: Claims, moment: Moment): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await retryConflicts(() =>
          pool.transaction(async (tx) => issueExchangeCode(tx, await admit(tx, services, claims, moment), moment.now)),
        );
      } catch (error) {
        if (tries === TRIES || !wasOvertaken(error)) throw error;
      }
    }
  };

  return {
    async begin(now) {
      let setCookie: string | undefined;
      const location = await orError(async () => {
        const { location, checks } = await provider.begin();
        setCookie = await browser.set(
          { ...checks, expiresAtMs: now.getTime() + PENDING_SECONDS * 1_000 },
          PENDING_SECONDS,
        );
        return location;
      });
      return setCookie === undefined ? { location } : { location, setCookie };
    },

    async finish(query, cookie, moment) {
      const pending = browser.read(cookie);
      // Keeps the cookie if the state belongs to another sign-in, which may still be under way.
      if (!isPending(pending, query.state, moment.now)) return { location: toWeb({ error: "sign_in_expired" }) };
      const location = await orError(async () => {
        // Even if a later step fails: the provider's code is good for one request, so the same address never works
        // twice.
        const first = await finishSignIn(pool, hashOf(pending.state), new Date(pending.expiresAtMs));
        if (!first) refuse("sign_in_expired");
        const claims = await provider.finish(searchOf(query), pending);
        return toWeb({ code: await issueCode(claims, moment) });
      }, moment);
      return { location, setCookie: browser.clear };
    },
  };
}

function isPending(pending: PendingSignIn | null, state: unknown, now: Date): pending is PendingSignIn {
  return pending !== null && pending.state === state && now.getTime() <= pending.expiresAtMs;
}

/** A repeated parameter is passed on as often, for the library to refuse. */
function searchOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs);
}
