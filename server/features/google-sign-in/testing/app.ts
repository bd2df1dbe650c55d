import { type StartOptions, start, type TestApp } from "../../../../tests/harness.ts";
import { changesNothing } from "../../../../tests/support/dump.ts";
import type { Config, GoogleConfig } from "../../../config.ts";
import { type Browser, createBrowser } from "./browser.ts";

/** The addresses that the tests' service is configured with; a browser of `newBrowser` finds it there. */
export const BASE_URL = "https://estimates.example.com";
export const WEB_URL = "https://app.example.com";
export const REDIRECT_URI = `${BASE_URL}/api/auth/google/callback`;

/** The service behind a public address, where only verified users count as verified. */
export function startPublicApp(
  google: GoogleConfig,
  config: Partial<Config> = {},
  options: Pick<StartOptions, "log" | "worker" | "pages"> = {},
): Promise<TestApp> {
  return start({
    config: { baseUrl: BASE_URL, webUrl: WEB_URL, smtpUrl: "smtp://mail.example.com", google, ...config },
    ...options,
  });
}

/** A browser that finds the service at its public address. */
export const newBrowser = (app: TestApp): Browser => createBrowser({ [app.services.config.baseUrl]: app.url });

/** Begins a sign-in and returns the provider's address that the browser is sent to. */
export async function begin(app: TestApp, browser: Browser): Promise<URL> {
  // The provider uses the real time. For a clock that has stood still for half a minute, its tokens are from the future.
  await app.clock.advance(Math.max(0, Date.now() - app.clock.now().getTime()));
  const page = await browser.visit(`${app.services.config.baseUrl}/api/auth/google`);
  if (page.status !== 302 || !page.location) throw new Error(`beginning returned ${page.status}: ${page.text}`);
  return page.location;
}

/** How a sign-in ended: what the web application gets in the address. */
export async function finish(browser: Browser, callback: URL | string): Promise<{ code?: string; error?: string }> {
  const { status, location, text } = await browser.visit(callback);
  if (status !== 302 || !location) throw new Error(`coming back returned ${status}: ${text}`);
  if (!location.href.startsWith(`${WEB_URL}/auth/callback?`)) throw new Error(`it leads to ${location.href}`);
  return Object.fromEntries(location.searchParams);
}

/**
 * Checks that `work` only writes that a sign-in is finished, and with `isTold` an entry in the audit log of the
 * account's owner.
 */
export const signsNobodyIn = (app: TestApp, work: () => Promise<void>, { isTold = false } = {}): Promise<void> =>
  changesNothing(app, work, ["public.finished_sign_ins", ...(isTold ? ["public.audit_events"] : [])]);
