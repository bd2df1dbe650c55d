import { afterAll, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { keyJobs } from "./index.ts";

const mail = await startMailServer();
const app = await start({ worker: true, config: { smtpUrl: mail.url } });
afterAll(mail.stop);
const DAY_MS = 86_400_000;
const WEEK_MS = limits.keyExpiryNoticeDays * DAY_MS;

/** Makes a key that expires in so many milliseconds. */
async function makeKey({ token }: TestUser, inMs: number) {
  const body = { name: "x", scopes: [], expiresAt: new Date(app.clock.now().getTime() + inMs).toISOString() };
  const { data } = await app.request("POST", "/api/api-keys", { token, body });
  return { id: String(data.apiKey?.id), prefix: String(data.apiKey?.prefix) };
}

/** Looks for keys that expire soon, as the job does each hour; `times` at the same time. */
async function sweep(times = 1) {
  const [job] = keyJobs(app.services);
  const { signal } = new AbortController();
  const run = () => job?.run({}, { signal, lease: { key: "", token: "" } });
  await Promise.all(Array.from({ length: times }, run));
}

async function mailsTo({ email }: TestUser) {
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(({ to, headers }) => to.includes(email) && headers.subject === "An API key expires soon");
}

const signIn = async (user: TestUser): Promise<TestUser> => {
  const { email, password } = user;
  const { data } = await app.request("POST", "/api/auth/login", { body: { email, password } });
  return { ...user, token: String(data.token) };
};

test("a key's owner is mailed once, seven days before it expires and not a millisecond earlier (V6.4.5)", async () => {
  const user = await app.signUp();
  const { prefix } = await makeKey(user, 30 * DAY_MS);
  await makeKey(user, 60 * DAY_MS);
  await app.clock.advance(30 * DAY_MS - WEEK_MS - 1);
  await sweep();
  expect(await mailsTo(user)).toEqual([]);
  await app.clock.advance(1);
  await sweep(3);
  await sweep();
  const [received, ...more] = await mailsTo(user);
  expect(more).toEqual([]);
  expect(received?.body).toContain(`${prefix}…`);
  expect(received?.body).toContain(`${app.services.config.webUrl}/profile/api-keys`);
  expect(received?.headers["list-unsubscribe"]).toBeDefined();
});

test("no mail for a key that is revoked, expired or was made for a week or less", async () => {
  const user = await app.signUp();
  const { id } = await makeKey(user, 8 * DAY_MS);
  await app.request("DELETE", `/api/api-keys/${id}`, { token: user.token });
  await makeKey(user, WEEK_MS);
  await makeKey(user, WEEK_MS + DAY_MS - 1);
  await app.clock.advance(WEEK_MS + DAY_MS - 1);
  await sweep();
  expect(await mailsTo(user)).toEqual([]);
  const again = await signIn(user);
  await makeKey(again, WEEK_MS + 1);
  await app.clock.advance(1);
  await sweep();
  expect(await mailsTo(user)).toHaveLength(1);
});

test("no mail to who has turned them off", async () => {
  const user = await app.signUp();
  await app.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
  await makeKey(user, 30 * DAY_MS);
  const body = { keyExpiring: false };
  const { status } = await app.request("PATCH", "/api/auth/me/notifications", { token: user.token, body });
  expect(status).toBe(200);
  await app.clock.advance(25 * DAY_MS);
  await sweep();
  expect(await mailsTo(user)).toEqual([]);
});
