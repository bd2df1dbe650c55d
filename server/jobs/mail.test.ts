import { sql } from "drizzle-orm";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { start } from "../../tests/harness.ts";
import { type Mail, MailFailed, MailRefused } from "../platform/mail.ts";
import { type MailSettings, sendMails, writeMail } from "./mail.ts";
import { defineMail, requestMail, requestMailsFrom } from "./mail-store.ts";

const app = await start();
const greeting = defineMail<{ name: string }>("review-decided");
const DAY_MS = 86_400_000;
const LEASE = { key: "1", token: "p" };

const payloads = async () =>
  (await app.pool.query("delete from job_leases returning payload")).rows.map(({ payload }) => payload);

/** Runs the one requested job after `waitedMs`; returns what was sent and what was logged. */
async function run(
  send: () => Promise<void> = async () => {},
  { waitedMs = 0, isWanted = true, refuses = [] as readonly string[] } = {},
) {
  const clock = createFakeClock();
  await requestMail(app.services.pool, greeting, { name: "a" }, clock.now());
  const [payload] = await payloads();
  await clock.advance(waitedMs);
  const sent: Mail[] = [];
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const mailer = {
    async send(mail: Mail) {
      await send();
      sent.push(mail);
    },
    close: () => {},
  };
  const write = writeMail(greeting, async ({ name }, { askedAt }) =>
    isWanted ? { to: "a@example.com", subject: `About ${name}`, paragraphs: [askedAt.toISOString()] } : null,
  );
  const settings: MailSettings = {
    isWanted: async (address, setting) => !refuses.includes(`${address} ${setting}`),
    unsubscribeUrl: (address, setting) => `https://example.org/off?${address}&${setting}`,
  };
  const job = sendMails({ clock, log }, mailer, [write], settings);
  await job.run(payload, { lease: LEASE, signal: new AbortController().signal });
  return { sent, logged, askedAt: payload.askedAt };
}

test("a mail is written from its facts when it is sent", async () => {
  const { sent, askedAt } = await run();
  expect(sent).toMatchObject([{ to: "a@example.com", subject: "About a" }]);
  expect(sent[0]?.text).toMatch(`Hello,\n\n${askedAt}\n\n-- \n`);
  expect(sent[0]?.html).toContain(`<p>${askedAt}</p>`);
});

test("a mail that has a setting says how to turn it off, and is not sent to users who turned it off", async () => {
  const url = "https://example.org/off?a@example.com&reviewDecided";
  const { sent } = await run(undefined, { refuses: ["a@example.com reviewCommented", "b@example.com reviewDecided"] });
  expect(sent[0]?.unsubscribeUrl).toBe(url);
  expect(sent[0]?.text).toContain(url);
  const refused = await run(undefined, { refuses: ["a@example.com reviewDecided"] });
  expect(refused).toMatchObject({ sent: [], logged: [] });
});

test("a mail's cause is its kind and what the request names; by default each request is one", async () => {
  const clock = createFakeClock();
  const request = (facts: { name: string }, options?: { cause: string }) =>
    requestMail(app.services.pool, greeting, facts, clock.now(), options);
  await request({ name: "a" });
  await request({ name: "a" });
  await request({ name: "a" }, { cause: "verdict 1" });
  await request({ name: "b" }, { cause: "verdict 1" });
  const jobs = await payloads();
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close() {} };
  const write = writeMail(greeting, async () => ({ to: "a@example.com", subject: "s", paragraphs: [] }));
  const settings = { isWanted: async () => true, unsubscribeUrl: () => "https://example.org/off" };
  const job = sendMails({ clock, log: pino({ level: "silent" }) }, mailer, [write], settings);
  const context = { lease: LEASE, signal: new AbortController().signal };
  for (const payload of [...jobs, ...jobs]) await job.run(payload, context);
  const causes = sent.map(({ cause }) => cause);
  expect(causes.slice(jobs.length)).toEqual(causes.slice(0, jobs.length));
  expect(causes[2]).toBe("review-decided verdict 1");
  expect(causes[3]).toBe(causes[2]);
  expect(new Set(causes).size).toBe(3);
});

test("a statement can request mails too, one for each row", async () => {
  const rows = sql`select json_build_object('name', name) as facts, '2026-01-01T00:00:00Z'::timestamptz as asked_at,
      name as cause
    from unnest(array['a', 'b']) as name`;
  await app.services.pool.execute(sql`with ${requestMailsFrom(greeting, rows)} select from mails`);
  const asked = await payloads();
  expect(asked.map(({ kind, facts, cause }) => [kind, facts, cause])).toEqual([
    ["review-decided", { name: "a" }, "a"],
    ["review-decided", { name: "b" }, "b"],
  ]);
  expect(new Date(asked[0].askedAt).toISOString()).toBe("2026-01-01T00:00:00.000Z");
});

test("a transaction that is rolled back sends nothing", async () => {
  const failed = app.services.pool.transaction(async (tx) => {
    await requestMail(tx, greeting, { name: "a" }, new Date(0));
    throw new Error("given up");
  });
  await expect(failed).rejects.toThrow("given up");
  expect(await payloads()).toEqual([]);
});

test("a mail that is no longer needed is not sent", async () => {
  expect(await run(undefined, { isWanted: false })).toMatchObject({ sent: [], logged: [] });
});

test("a mail that waited for a day is sent; one that waited longer is given up and logged", async () => {
  expect((await run(undefined, { waitedMs: DAY_MS })).sent).toHaveLength(1);
  const { sent, logged } = await run(undefined, { waitedMs: DAY_MS + 1 });
  expect([sent, logged]).toEqual([[], ["a mail was given up: the mail server did not take it for a day"]]);
});

test("a mail that the mail server refuses permanently is given up; any other failure is retried", async () => {
  const refused = await run(() => Promise.reject(new MailRefused("550")));
  expect([refused.sent, refused.logged]).toEqual([[], ["a mail was given up"]]);
  await expect(run(() => Promise.reject(new MailFailed("451")))).rejects.toThrow("451");
});

test("a kind of mail without a writer fails, and stays in the queue", async () => {
  const job = sendMails(
    { clock: createFakeClock(), log: pino({ level: "silent" }) },
    { send: async () => {}, close() {} },
    [],
    { isWanted: async () => true, unsubscribeUrl: () => "" },
  );
  const payload = { kind: "greeting", facts: {}, askedAt: new Date(0).toISOString() };
  const running = job.run(payload, { lease: LEASE, signal: new AbortController().signal });
  await expect(running).rejects.toThrow("no mail of the kind greeting is known");
});
