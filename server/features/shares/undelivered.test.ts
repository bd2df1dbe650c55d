import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { createScene } from "./testing/scene.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: {
    smtpUrl: mail.url,
    webUrl: "https://app.example.org",
    mailFrom: "Estimations <no-reply@example.org>",
  },
});
afterAll(mail.stop);
const { invite, resend, createEstimation, verify } = createScene(app);
const owner = await app.signUp();
await verify(owner);

/** Waits until every mail was sent, or given up. */
const settled = () => until(async () => (await countJobs(app.pool, "send-mail")) === 0);
const me = async ({ token }: TestUser) => (await app.request("GET", "/api/auth/me", { token })).data.user ?? {};

async function invited(address: string) {
  const estimation = await createEstimation(owner);
  const share = String((await invite(owner, estimation, address)).data.share?.id);
  const read = async () => {
    await settled();
    const { data } = await app.request("GET", `/api/estimations/${estimation}/shares`, { token: owner.token });
    return (data.shares as unknown as Record<string, unknown>[])[0];
  };
  return { estimation, share, read, again: () => resend(owner, estimation, share) };
}

test("an invitation says when the mail server refused its address for good, until it takes a mail to it", async () => {
  const address = `${randomUUID()}@example.com`;
  mail.refuse(550, address, Number.POSITIVE_INFINITY);
  const { read, again } = await invited(address);
  expect(await read()).toMatchObject({ status: "pending", undeliveredAt: app.clock.now().toISOString() });
  // As often as one likes: no mail of it was ever delivered.
  for (let n = 0; n <= limits.invitationMailsPerDay; n += 1) {
    await app.clock.advance(1_000);
    const { status, data } = await again();
    expect([status, data.share?.undeliveredAt]).toEqual([202, null]);
    expect(await read()).toMatchObject({ undeliveredAt: app.clock.now().toISOString() });
  }
  mail.accept(address);
  await app.clock.advance(1_000);
  await again();
  expect(await read()).toMatchObject({ undeliveredAt: null });
  expect(mail.mails.filter(({ to }) => to.includes(address))).toHaveLength(1);
});

test("a mail that is refused for the moment, or for what it says, leaves no mark, and counts", async () => {
  const address = `${randomUUID()}@example.com`;
  mail.refuse(451, address, 1);
  const { estimation, again } = await invited(address);
  await until(async () => {
    const { rows } = await app.pool.query("select from instance_state where mail_fault like '%451%'");
    return rows.length > 0;
  });
  const { data } = await app.request("GET", `/api/estimations/${estimation}/shares`, { token: owner.token });
  expect(data.shares).toMatchObject([{ undeliveredAt: null }]);
  for (let n = 1; n < limits.invitationMailsPerDay; n += 1) {
    await app.clock.advance(1_000);
    expect((await again()).status).toBe(202);
  }
  expect((await again()).status).toBe(429);
  mail.accept(address);
});

test("an account and the reviews asked of it say so too, and its confirmation is asked for again without counting", async () => {
  const address = `${randomUUID()}@example.com`;
  mail.refuse(550, address, Number.POSITIVE_INFINITY);
  const user = await app.signUp(address);
  await settled();
  expect((await me(user)).undeliveredAt).toBe(app.clock.now().toISOString());
  for (let n = 0; n <= app.services.config.rateLimitAuthPerMinute; n += 1) {
    const again = await app.request("POST", "/api/auth/verify-email/resend", { token: user.token });
    expect(again.status).toBe(202);
    await settled();
  }
  await verify(user);
  const estimation = await createEstimation(owner);
  await app.request("POST", `/api/estimations/${estimation}/submit`, { token: owner.token });
  const asked = await app.request("POST", `/api/estimations/${estimation}/reviews`, {
    token: owner.token,
    body: { reviewerId: user.userId },
  });
  expect(asked.data.review, asked.text).toMatchObject({ undeliveredAt: app.clock.now().toISOString() });
  mail.accept(address);
  await invited(address);
  await settled();
  expect((await me(user)).undeliveredAt).toBeNull();
  const { data } = await app.request("GET", `/api/estimations/${estimation}/reviews`, { token: owner.token });
  expect(data.reviews).toMatchObject([{ undeliveredAt: null }]);
});
