import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createScene } from "../../server/features/reviews/testing/scene.ts";
import { start, until } from "../harness.ts";
import { countJobs } from "../support/jobs.ts";
import { type ReceivedMail, read, startMailServer, tokenIn } from "../support/mail-server.ts";
import { runService } from "../support/service-process.ts";

const mailFrom = "Estimations <no-reply@example.org>";
const [sessionSecret, encryptionKey] = [randomBytes(32), randomBytes(32)];
const received: ReceivedMail[] = [];
const mail = await startMailServer({
  onData(stream, { envelope }, callback) {
    void text(stream).then((source) => {
      const to = envelope.rcptTo.map(({ address }) => address);
      received.push(read(source, "", to));
      callback();
    });
  },
});
afterAll(mail.stop);
const app = await start({ config: { smtpUrl: mail.url, mailFrom, sessionSecret, encryptionKey } });
const scene = createScene(app);

function startWorker() {
  const { host = "", port = 5432, user = "", password, database = "" } = app.connection;
  const query = new URLSearchParams({ host: String(host), port: String(port), user: String(user) });
  if (typeof password === "string") query.set("password", password);
  return runService(["serve", "--only", "worker"], {
    DATABASE_URL: `postgresql:///${database}?${query}`,
    SMTP_URL: mail.url,
    MAIL_FROM: mailFrom,
    SESSION_SECRET: sessionSecret.toString("base64url"),
    ENCRYPTION_KEY: encryptionKey.toString("base64url"),
    BASE_URL: "http://127.0.0.1:3000",
    DATA_DIR: app.services.config.dataDir,
  });
}

/** Causes one mail of each kind that another user causes, and one with a link to confirm an address, to `email`. */
async function causeMails(): Promise<string> {
  const users = [await app.signUp(), await app.signUp(), await app.signUp()] as const;
  const [owner, reviewer, other] = users;
  for (const { userId } of users)
    await app.pool.query("update users set email_verified_at = now() where id = $1", [userId]);
  const estimation = await scene.createEstimation(owner);
  const shares = `${scene.pathOf(estimation)}/shares`;
  await scene.succeed(scene.send(owner, "POST", shares, { email: "new@example.com", permission: "view" }));
  const review = await scene.ask(owner, estimation, reviewer);
  await scene.succeed(scene.comment(reviewer, estimation, review, { body: "Why?" }));
  await scene.succeed(scene.approve(other, estimation, await scene.ask(owner, estimation, other)));
  return (await app.signUp()).email;
}

test("mails of every kind are sent again with the same Message-ID if their worker is killed after they were accepted", async () => {
  const email = await causeMails();
  const subjects = [
    "An estimation was shared with you",
    "Confirm your e-mail address",
    // A request, a comment and a verdict.
    ...Array(3).fill("Review of Checkout"),
  ];
  const holder = await app.pool.connect();
  onTestFinished(() => holder.release(true));
  // While this lock is held, a worker cannot write that a mail was sent.
  await holder.query("select pg_advisory_lock(7)");
  await app.pool.query(`
    create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(7); return old; end $$;
    create trigger wait_for_test before delete on job_leases
      for each row when (old.name = 'send-mail') execute function wait_for_test()`);
  const first = startWorker();
  await until(() => received.length >= subjects.length);
  await until(
    async () => (await app.pool.query("select from pg_locks where objid = 7 and not granted")).rowCount !== 0,
  );
  const jobs = await countJobs(app.pool, "send-mail");
  first.send("SIGKILL");
  const killedMs = performance.now();
  await first.exitCode;
  // PostgreSQL would otherwise still do what the killed process asked for, and wait for the lock meanwhile.
  await until(async () => {
    const { rowCount } = await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'estimation-service %'`,
    );
    return rowCount === 0;
  });
  await app.pool.query("drop trigger wait_for_test on job_leases");
  expect(await countJobs(app.pool, "send-mail")).toBe(jobs);
  const subjectsOf = (mails: readonly ReceivedMail[]) => mails.map(({ headers }) => headers.subject).sort();
  expect(subjectsOf(received)).toEqual(subjects);

  // It takes over what the leases hold once these have ended.
  startWorker();
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  console.log(` taken over after ${((performance.now() - killedMs) / 1_000).toFixed(1)} s`);
  const [sent, again] = [received.slice(0, subjects.length), received.slice(subjects.length)];
  expect(subjectsOf(again)).toEqual(subjects);
  const causes = (mails: readonly ReceivedMail[]) =>
    mails.map(({ to, headers }) => `${headers.subject} ${to} ${headers["message-id"]}`).sort();
  expect(causes(again)).toEqual(causes(sent));
  const ids = new Set(sent.map(({ headers }) => headers["message-id"]));
  expect(ids.size).toBe(subjects.length);
  for (const id of ids) expect(id).toMatch(/^<[0-9a-f]{40}@example\.org>$/);

  // A mail program may show either copy.
  const tokens = received.filter(({ to }) => to.includes(email)).map(tokenIn);
  expect([tokens.length, new Set(tokens).size]).toEqual([2, 1]);
  const [token] = tokens;
  expect((await app.request("POST", "/api/auth/verify-email", { body: { token } })).status).toBe(200);
});
