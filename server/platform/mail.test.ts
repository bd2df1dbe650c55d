import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { freePort } from "../../tests/support/free-port.ts";
import { read, startMailServer } from "../../tests/support/mail-server.ts";
import { certify } from "../../tests/support/receiver.ts";
import { type Mailer, MailFailed, MailRefused } from "./mail.ts";
import { createMailer } from "./mailer.ts";

const clock = createFakeClock(new Date("2026-03-04T05:06:07.089Z"));
const dataDir = await mkdtemp(join(tmpdir(), "estimation-mail-"));
afterAll(() => rm(dataDir, { recursive: true }));
const mailFrom = "Estimations <no-reply@example.org>";
const mail = { to: "ada@example.com", subject: "Größe & more", text: "https://app.example.org/x?token=abc\n\nGrüße\n" };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
const mailerFor = (smtpUrl: string | null, onWritten: (file: string) => void = () => {}): Mailer => {
  const mailer = createMailer({ smtpUrl, mailFrom, dataDir }, clock, onWritten);
  open.push(mailer);
  return mailer;
};
const serverWith = async (options: Parameters<typeof startMailServer>[0] = {}) => {
  const server = await startMailServer(options);
  open.push({ close: server.stop });
  return server;
};

describe("without a mail server", () => {
  it("writes each mail to a file that only this user can read and that is complete when it appears, and returns its path", async () => {
    const written: string[] = [];
    const mailer = mailerFor(null, (file) => written.push(file));
    await Promise.all([mailer.send(mail), mailer.send(mail), mailer.send({ ...mail, to: "noor@example.com" })]);
    const folder = join(dataDir, "mail");
    const files = (await readdir(folder)).map((name) => join(folder, name));
    expect(files.sort()).toEqual([...written].sort());
    expect(files).toHaveLength(3);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const file of files) {
      expect(file).toMatch(/\/2026-03-04T05-06-07\.089Z-[0-9a-f]{8}\.eml$/);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const received = await Promise.all(files.map(async (file) => read(await readFile(file, "utf8"), "", [])));
    // They were written at the same time, so in any order.
    expect(received.map(({ headers }) => headers.to).sort()).toEqual([mail.to, mail.to, "noor@example.com"]);
    for (const { headers, body } of received) {
      expect(headers).toMatchObject({ from: mailFrom, date: "Wed, 04 Mar 2026 05:06:07 +0000" });
      expect(body).toContain("https://app.example.org/x?token=abc");
    }
  });
});

describe("through a mail server", () => {
  it("hands each mail over to one recipient", async () => {
    const server = await serverWith();
    const mailer = mailerFor(server.url);
    await Promise.all(Array.from({ length: 20 }, (_, at) => mailer.send({ ...mail, to: `user${at}@example.com` })));
    expect(server.mails).toHaveLength(20);
    for (const { from, to } of server.mails) {
      expect(from).toBe("no-reply@example.org");
      expect(to).toHaveLength(1);
    }
    expect((await server.mailTo("user7@example.com")).body).toContain("?token=abc");
  });

  it("never reads a second recipient or a header out of an address or a subject", async () => {
    const server = await serverWith();
    const mailer = mailerFor(server.url);
    for (const to of [
      "a,b@example.com",
      "a@example.com,b@example.com",
      "Bcc:<b@example.com>",
      "a@example.com\r\nBcc: b@example.com",
    ]) {
      await mailer.send({ ...mail, to, subject: "x\r\nBcc: b@example.com" }).catch(() => {});
    }
    for (const received of server.mails) {
      expect(received.to).toHaveLength(1);
      expect(received.to).not.toContain("b@example.com");
      expect(received.headers).not.toHaveProperty("bcc");
    }
  });

  it("logs in if the address has a user name and password", async () => {
    const server = await serverWith({ authOptional: false, authMethods: ["PLAIN"], allowInsecureAuth: true });
    await mailerFor(server.url.replace("//", "//noor:pass%20word@")).send(mail);
    expect([server.logins(), server.mails.length]).toEqual([1, 1]);
    await expect(mailerFor(server.url).send(mail)).rejects.toBeInstanceOf(MailFailed);
  });

  it("sends no password to another machine without encryption, unless the setting allows it", async () => {
    const server = await serverWith({ allowInsecureAuth: true });
    // The same machine under names that do not say so; the second begins like an address of it.
    const url = `smtp://noor:password@0.0.0.0:${server.port}`;
    for (const one of [url, url.replace("0.0.0.0", "127.1")])
      await expect(mailerFor(one).send(mail), one).rejects.toThrow("the mail was not sent: ETLS");
    expect(server.logins()).toBe(0);
    await mailerFor(`${url}?requireTLS=false`).send(mail);
    expect(server.logins()).toBe(1);
  });

  it("does not trust a server whose certificate no trusted authority has signed", async () => {
    const { private: key, cert } = await certify(["localhost"]);
    const server = await serverWith({ secure: true, key, cert });
    await expect(mailerFor(`smtps://127.0.0.1:${server.port}`).send(mail)).rejects.toBeInstanceOf(MailFailed);
    await mailerFor(`smtps://127.0.0.1:${server.port}?tls.rejectUnauthorized=false`).send(mail);
    expect(server.mails).toHaveLength(1);
  });

  it.each([
    [450, MailFailed],
    [421, MailFailed],
    [550, MailRefused],
    [553, MailRefused],
  ])("says after %i whether a retry may help, in a message that quotes nothing", async (code, kind) => {
    const server = await serverWith({
      onData(stream, _, callback) {
        stream.resume();
        const said = "listed link https://app.example.org/x?token=abc";
        stream.on("end", () => callback(Object.assign(new Error(said), { responseCode: code })));
      },
    });
    const failure = await mailerFor(server.url)
      .send(mail)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect(String(failure)).toContain(String(code));
    expect(JSON.stringify([String(failure), { ...(failure as Error) }])).not.toContain("abc");
    expect((failure as Error).cause).toBeUndefined();
  });

  it("fails while no server listens, and continues once one does", async () => {
    const server = await startMailServer({}, await freePort());
    const mailer = mailerFor(server.url);
    await mailer.send(mail);
    await server.stop();
    await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailFailed);
    open.push({ close: (await startMailServer({}, server.port)).stop });
    await mailer.send(mail);
  });
});
