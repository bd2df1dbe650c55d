import { afterAll, expect, test } from "vitest";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, rateLimitAuthPerMinute: 1_000, trustProxy: ["127.0.0.1/32"] },
});
afterAll(mail.stop);
const DAY_MS = 86_400_000;
const SUBJECT = "New sign-in to your account";

const logIn = ({ email, password }: TestUser, from: string, userAgent = "curl/8.5.0") =>
  app.request("POST", "/api/auth/login", {
    body: { email, password },
    headers: { "x-forwarded-for": from, "user-agent": userAgent },
  });

/** Waits until no mail is to be sent any more, then returns those about sign-ins to an account. */
async function noticesTo({ email }: TestUser) {
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(({ to, headers }) => to.includes(email) && headers.subject === SUBJECT);
}

test("a sign-in from a new address is mailed once, with its address and browser; one from a known address is not (V6.3.5)", async () => {
  const user = await app.signUp();
  expect((await logIn(user, "127.0.0.1")).status).toBe(200);
  expect(await noticesTo(user)).toEqual([]);
  const injected = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0 https://evil.example.com";
  expect((await logIn(user, "198.51.100.1", injected)).status).toBe(200);
  const [notice, ...more] = await noticesTo(user);
  expect(more).toEqual([]);
  expect(notice?.body).toContain("from 198.51.100.1,");
  expect(notice?.body).toContain("Browser: Firefox on Linux.");
  expect(notice?.body).not.toContain("evil");
  expect(notice?.body).toContain(`${app.services.config.webUrl}/profile/security`);
  await logIn(user, "198.51.100.1");
  expect(await noticesTo(user)).toHaveLength(1);
});

test("a failed sign-in is no sign-in, and an address is new again after 90 days, not before", async () => {
  const user = await app.signUp();
  const body = { email: user.email, password: "not the one" };
  await app.request("POST", "/api/auth/login", { body, headers: { "x-forwarded-for": "198.51.100.2" } });
  await logIn(user, "198.51.100.3");
  expect(await noticesTo(user)).toHaveLength(1);
  await app.clock.advance(90 * DAY_MS);
  await logIn(user, "198.51.100.3");
  expect(await noticesTo(user)).toHaveLength(1);
  await app.clock.advance(90 * DAY_MS + 1);
  await logIn(user, "198.51.100.3");
  expect(await noticesTo(user)).toHaveLength(2);
});

test("nothing is mailed at the first sign-in, nor where a mailed link was used to set the password", async () => {
  const user = await app.signUp();
  await app.pool.query("update users set last_sign_in_at = null where id = $1", [user.userId]);
  await logIn(user, "198.51.100.4");
  expect(await noticesTo(user)).toEqual([]);
});
