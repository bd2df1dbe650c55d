import { expect, it } from "vitest";
import { begin, finish, newBrowser, REDIRECT_URI, signsNobodyIn, startPublicApp } from "./testing/app.ts";
import { startProvider } from "./testing/real-provider.ts";

const provider = await startProvider({ redirectUri: REDIRECT_URI });
const app = await startPublicApp(provider.config);

async function signIn(subject: string, email: string) {
  provider.accounts.set(subject, { email, email_verified: true });
  const browser = newBrowser(app);
  return finish(browser, await provider.response(browser, await begin(app, browser), subject));
}

it("a provider's address that only looks like an account's gives nobody access to it", async () => {
  const owner = await app.signUp("kelly@example.com");
  await app.pool.query("update users set email_verified_at = now() where id = $1", [owner.userId]);
  const lookalikes = ["\u212aelly@example.com", "kelly\u200b@example.com", "kelly@exam\u00adple.com"];
  await signsNobodyIn(app, async () => {
    for (const [at, email] of lookalikes.entries())
      expect(await signIn(`lookalike-${at}`, email)).toEqual({ error: "sign_in_failed" });
  });
});

it("another spelling of the same domain is the same address", async () => {
  const owner = await app.signUp("noor@example.com");
  await app.pool.query("update users set email_verified_at = now() where id = $1", [owner.userId]);
  const { code } = await signIn("noor", "Noor@ｅxample。com");
  const { data } = await app.request("POST", "/api/auth/exchange", { body: { code } });
  expect(data.user?.id).toBe(owner.userId);
});
