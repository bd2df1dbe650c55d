import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { requestMail } from "../../jobs/mail-store.ts";
import { invitationMail } from "./mails.ts";
import { createScene } from "./testing/scene.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: {
    smtpUrl: mail.url,
    webUrl: "https://app.example.org",
    mailFrom: "Estimations <no-reply@example.org>",
    invitationsPerHour: 1_000,
  },
});
afterAll(mail.stop);
const { invite, accept, remove, resend, createEstimation, verify } = createScene(app);
const owner = await app.signUp();
await verify(owner);
await app.request("PATCH", "/api/auth/me", { token: owner.token, body: { name: "Noor\r\nHaddad" } });

const SUBJECT = "An estimation was shared with you";
const isInvitation = (html = "") => /<title>(?:An estimation was shared with you<|Shared with you: )/.test(html);
const linkTo = (share: string) => `https://app.example.org/shared?accept=${share}`;

/** Waits until no mail is to be sent any more, then returns those with invitations to an address. */
async function mailsTo(address: string) {
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(({ to, html }) => to.includes(address) && isInvitation(html));
}

async function inviteTo(email: string, title?: string, by: TestUser = owner) {
  const estimation = await createEstimation(by, title);
  return { estimation, share: String((await invite(by, estimation, email)).data.share?.id) };
}

async function signUpVerified(): Promise<TestUser> {
  const user = await app.signUp();
  await verify(user);
  return user;
}

test("to a verified address it names sharer and estimation, each cut to one line, and the link", async () => {
  const user = await signUpVerified();
  const { share } = await inviteTo(user.email, `Checkout\u202e\n\n${"𝄞".repeat(100)}`);
  const [received, ...others] = await mailsTo(user.email);
  expect(others).toEqual([]);
  const title = `Checkout ${"𝄞".repeat(70)}…`;
  expect([...title]).toHaveLength(80);
  expect(received?.body).toContain(`Noor Haddad (${owner.email}) shared the estimation "${title}" with you.`);
  expect(received?.body.split("\n")).toContain(linkTo(share));
  expect(received?.html).toContain(`href="${linkTo(share)}"`);
  expect(received?.html).toContain(`shared the estimation &quot;${title}&quot; with you.`);
  expect(received?.to).toEqual([user.email]);
  expect(received?.html).toContain(`<title>Shared with you: ${title}</title>`);
});

test("invitations to one estimation are one conversation, and those to another are another", async () => {
  for (const email of [(await signUpVerified()).email, `${randomUUID()}@example.com`]) {
    const { estimation, share } = await inviteTo(email);
    await app.clock.advance(1_000);
    await resend(owner, estimation, share);
    const other = await inviteTo(email);
    // They are sent at the same time, in any order.
    const mails = await mailsTo(email);
    const ids = (one: string) =>
      mails.filter(({ body }) => body.includes(linkTo(one))).map(({ headers }) => headers.references);
    const [first, ...others] = ids(share);
    expect(others).toEqual([first]);
    expect(ids(other.share)).toHaveLength(1);
    expect(ids(other.share)).not.toContain(first);
  }
});

test("to an unverified address it names the sharer's address and nothing else that a user chose", async () => {
  const registered = await app.signUp();
  for (const email of [registered.email, `${randomUUID()}+you-won-see-evil.example@example.com`]) {
    const { share } = await inviteTo(email, "You have won: evil.example");
    const [received] = await mailsTo(email);
    expect(received?.body).toContain(`${owner.email} shared an estimation with you.`);
    expect(received?.body.split("\n")).toContain(linkTo(share));
    expect(received?.body).not.toMatch(/evil|Haddad|You have won/);
    expect(received?.headers.subject).toBe(SUBJECT);
    expect(received?.body).toContain("https://app.example.org/forgot-password");
  }
});

test("a mail whose job runs again is the same mail; an invitation that is sent again is another mail", async () => {
  const user = await signUpVerified();
  const { estimation, share } = await inviteTo(user.email);
  await mailsTo(user.email);
  const sentAt = app.clock.now();
  const facts = { shareId: share, sentAt: sentAt.toISOString() };
  await requestMail(app.services.pool, invitationMail, facts, sentAt, { cause: `${share} ${facts.sentAt}` });
  await mailsTo(user.email);
  await app.clock.advance(1_000);
  await resend(owner, estimation, share);
  const ids = (await mailsTo(user.email)).map(({ headers }) => headers["message-id"]);
  expect(ids).toHaveLength(3);
  expect(ids[0]).toMatch(/^<[0-9a-f]{40}@example\.org>$/);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("none is sent for an invitation that was accepted, deleted or sent again before the mail server was back", async () => {
  const user = await signUpVerified();
  const another = await signUpVerified();
  const [accepted, deleted, again] = [
    await inviteTo(user.email),
    await inviteTo(user.email),
    await inviteTo(user.email, "Checkout", another),
  ];
  const before = (await mailsTo(user.email)).length;
  const sentAt = app.clock.now().toISOString();
  await app.clock.advance(1_000);
  await accept(user, accepted.share);
  await remove(owner, deleted.share);
  await resend(another, again.estimation, again.share);
  await app.services.pool.transaction(async (tx) => {
    for (const { share } of [accepted, deleted, again])
      await requestMail(tx, invitationMail, { shareId: share, sentAt }, app.clock.now());
  });
  expect(await mailsTo(user.email)).toHaveLength(before + 1);
});

test("a refused request sends no mail", async () => {
  const user = await signUpVerified();
  const estimation = await createEstimation(owner);
  expect((await invite(owner, estimation, user.email, "own")).status).toBe(400);
  expect(await mailsTo(user.email)).toEqual([]);
});
