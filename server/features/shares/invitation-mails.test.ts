import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countDueJobs, makeJobsDue } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { forgetInvitationMails } from "./held-store.ts";
import { createScene } from "./testing/scene.ts";

const DAY_MS = 86_400_000;
const [FROM_SENDER, TO_ADDRESS] = [limits.invitationMailsPerDay, limits.invitationMailsToAddressPerDay];
const ONE = "An estimation was shared with you";
const SEVERAL = "Estimations were shared with you";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", invitationsPerHour: 1_000 },
});
afterAll(mail.stop);
const { invite, remove, resend, createEstimation, verify, listen, toldOf, share } = createScene(app);
const newAddress = () => `${randomUUID()}@example.com`;

/** A user with a verified address and a session. */
async function signUpReader(): Promise<TestUser> {
  const user = await app.signUp();
  await verify(user);
  return user;
}

/** The same with a key instead, because sessions end sooner than days. */
async function signUp(): Promise<TestUser> {
  const user = await signUpReader();
  return { ...user, token: await app.makeKey(user, ["admin"]) };
}

/** Waits until no mail is due any more, then returns those with invitations to an address. */
async function mailsTo(address: string, subject = ONE) {
  await until(async () => (await countDueJobs(app.pool, "send-mail")) === 0);
  const subjects =
    subject === ONE ? /^(?:An estimation was shared with you$|Shared with you: )/ : RegExp(`^${subject}$`);
  return mail.mails.filter(({ to, headers }) => to.includes(address) && subjects.test(headers.subject ?? ""));
}

/** Lets a day and a moment go by, also for jobs. */
async function nextDay(): Promise<void> {
  await app.clock.advance(DAY_MS + 1);
  await makeJobsDue(app.pool);
}

/** Shares a new estimation with an address. */
async function inviteAnew(owner: TestUser, address: string, title?: string) {
  const estimation = await createEstimation(owner, title);
  const { status, data, text } = await invite(owner, estimation, address);
  expect(status, text).toBe(201);
  return { estimation, share: String(data.share?.id) };
}

test("an address gets a few mails a day from one sender, whatever is deleted; the share and its event are created regardless", async () => {
  const [owner, address] = [await signUp(), newAddress()];
  await listen(owner);
  for (let n = 1; n <= FROM_SENDER; n += 1) {
    const { share } = await inviteAnew(owner, address);
    expect(await mailsTo(address)).toHaveLength(n);
    expect((await remove(owner, share)).status).toBe(200);
  }
  const { estimation } = await inviteAnew(owner, address.toUpperCase());
  expect((await toldOf(estimation)).map(({ name }) => name)).toEqual(["share.invited"]);
  expect(await mailsTo(address)).toHaveLength(FROM_SENDER);
  await inviteAnew(await signUp(), address);
  expect(await mailsTo(address)).toHaveLength(FROM_SENDER + 1);
});

test("an address gets more from several senders, up to a daily limit; sending again counts", async () => {
  const address = newAddress();
  const senders = await Promise.all(Array.from({ length: 4 }, signUp));
  for (let n = 0; n < TO_ADDRESS - 1; n += 1) await inviteAnew(senders[n % 4] as TestUser, address);
  expect(await mailsTo(address)).toHaveLength(TO_ADDRESS - 1);
  const [sender, another] = [await signUp(), await signUp()];
  const { estimation, share } = await inviteAnew(sender, address);
  // A mail that still waits when its invitation is sent again is not sent: the later one stands for it.
  expect(await mailsTo(address)).toHaveLength(TO_ADDRESS);
  await app.clock.advance(1_000);
  expect((await resend(sender, estimation, share)).status).toBe(202);
  await inviteAnew(another, address);
  expect(await mailsTo(address)).toHaveLength(TO_ADDRESS);
  expect(await mailsTo(newAddress())).toHaveLength(0);
});

test("of simultaneous mails, exactly as many are sent as allowed", async () => {
  const [owner, address] = [await signUp(), newAddress()];
  const estimations = await Promise.all(Array.from({ length: 8 }, () => createEstimation(owner)));
  const responses = await Promise.all(estimations.map((estimation) => invite(owner, estimation, address)));
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(await mailsTo(address)).toHaveLength(FROM_SENDER);
});

test("invitations beyond the limit are in one mail on the next day, except those deleted or accepted", async () => {
  const [owner, reader] = [await signUp(), await signUpReader()];
  const name = owner.email.split("@")[0];
  for (let n = 0; n < FROM_SENDER; n += 1) await inviteAnew(owner, reader.email);
  const held = [];
  for (const title of ["Shop", "Checkout", "Deleted", "Accepted"]) {
    await app.clock.advance(1_000);
    held.push(await inviteAnew(owner, reader.email, title));
  }
  const [, , deleted, accepted] = held;
  await remove(owner, deleted?.share ?? "");
  await app.request("POST", `/api/shares/${accepted?.share}/accept`, { token: reader.token });
  expect(await mailsTo(reader.email, SEVERAL)).toEqual([]);
  await nextDay();
  const [digest, ...others] = await mailsTo(reader.email, SEVERAL);
  expect(others).toEqual([]);
  expect(digest?.body).toContain(`"Shop" by ${name} (${owner.email})`);
  expect(digest?.body).toContain(`"Checkout" by`);
  expect(digest?.body).not.toMatch(/Deleted|Accepted/);
  expect(digest?.body).toContain("https://app.example.org/shared");
  // On that day mails are sent one by one again, and nothing is left of the digest.
  await inviteAnew(owner, reader.email);
  expect(await mailsTo(reader.email)).toHaveLength(FROM_SENDER + 1);
  await nextDay();
  expect(await mailsTo(reader.email, SEVERAL)).toHaveLength(1);
});

test("to an unverified address the mail with several invitations names the senders' addresses and nothing else that a user chose", async () => {
  const [owner, address] = [await signUp(), newAddress()];
  for (let n = 0; n <= FROM_SENDER + 1; n += 1) await inviteAnew(owner, address, "You have won: evil.example");
  await nextDay();
  const [digest] = await mailsTo(address, SEVERAL);
  expect(digest?.body.split(owner.email)).toHaveLength(2);
  expect(digest?.body).not.toMatch(/evil|won/);
});

test("a held invitation is accepted like any other, and then no mail is sent", async () => {
  const [owner, reader] = [await signUp(), await signUpReader()];
  for (let n = 0; n < FROM_SENDER; n += 1) await inviteAnew(owner, reader.email);
  await share(owner, await createEstimation(owner), reader, "view");
  await nextDay();
  expect(await mailsTo(reader.email, SEVERAL)).toEqual([]);
});

test("mails of earlier days are removed, and no longer count", async () => {
  const [owner, address] = [await signUp(), newAddress()];
  const forget = (ms: number) =>
    forgetInvitationMails(app.services.pool, new Date(app.clock.now().getTime() - ms), 1_000);
  for (let n = 0; n < FROM_SENDER; n += 1) await inviteAnew(owner, address);
  await app.clock.advance(DAY_MS - 1);
  await inviteAnew(owner, address);
  expect(await mailsTo(address)).toHaveLength(FROM_SENDER);
  await app.clock.advance(1);
  await inviteAnew(owner, address);
  expect(await mailsTo(address)).toHaveLength(FROM_SENDER + 1);
  await forget(DAY_MS);
  const { rows } = await app.pool.query("select at from invitation_mails where at < $1", [
    new Date(app.clock.now().getTime() - DAY_MS),
  ]);
  expect(rows).toEqual([]);
  expect(await forget(DAY_MS)).toBe(0);
});
