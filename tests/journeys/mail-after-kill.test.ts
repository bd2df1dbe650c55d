import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { start, until } from "../harness.ts";
import { type ReceivedMail, read, startMailServer, tokenIn } from "../support/mail-server.ts";
import { runService } from "../support/service-process.ts";

const mailFrom = "Estimations <no-reply@example.org>";
const [sessionSecret, encryptionKey] = [randomBytes(32), randomBytes(32)];
const received: ReceivedMail[] = [];
/** Called with each mail before it is accepted. */
let beforeAccepting = async () => {};
const mail = await startMailServer({
  onData(stream, { envelope }, callback) {
    void text(stream).then(async (source) => {
      received.push(
        read(
          source,
          "",
          envelope.rcptTo.map(({ address }) => address),
        ),
      );
      await beforeAccepting();
      callback();
    });
  },
});
afterAll(mail.stop);
const app = await start({ config: { smtpUrl: mail.url, mailFrom, sessionSecret, encryptionKey } });

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

test("a mail whose worker is killed after it was accepted is sent again with the same Message-ID", async () => {
  const holder = await app.pool.connect();
  onTestFinished(() => holder.release(true));
  // While its job is locked, a worker cannot tell the queue that the mail was sent.
  beforeAccepting = async () => {
    beforeAccepting = async () => {};
    await holder.query("begin; select from graphile_worker._private_jobs for update");
  };
  const first = startWorker();
  const { email } = await app.signUp();
  const waiting = await until(async () => {
    const { rows } = await app.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query ~ '_private_jobs' and pid <> pg_backend_pid()`,
    );
    return rows.length > 0 && rows;
  });
  first.send("SIGKILL");
  await first.exitCode;
  // PostgreSQL would otherwise still do what the killed process asked for.
  for (const { pid } of waiting) await app.pool.query("select pg_terminate_backend($1, 5000)", [pid]);
  await holder.query("rollback");
  const left = await app.pool.query("select from graphile_worker.jobs where task_identifier = 'send-mail'");
  expect([received.length, left.rowCount]).toEqual([1, 1]);

  startWorker();
  const copies = await until(() => received.length >= 2 && received);
  expect(copies.map(({ to }) => to)).toEqual([[email], [email]]);
  expect(copies[0]?.headers["message-id"]).toMatch(/^<[0-9a-f]{40}@example\.org>$/);
  expect(copies[1]?.headers["message-id"]).toBe(copies[0]?.headers["message-id"]);
  // A mail program may show either copy.
  expect(copies.map(tokenIn)).toEqual(copies.map(() => tokenIn(copies[0] as ReceivedMail)));
  const token = tokenIn(copies[0] as ReceivedMail);
  expect((await app.request("POST", "/api/auth/verify-email", { body: { token } })).status).toBe(200);
  await until(async () => {
    const jobs = await app.pool.query("select from graphile_worker.jobs where task_identifier = 'send-mail'");
    return jobs.rowCount === 0;
  });
  expect(received).toHaveLength(2);
});
