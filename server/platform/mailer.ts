import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Config } from "../config.ts";
import type { Clock } from "./clock.ts";
import type { Mailer } from "./mail.ts";
import { asMessage } from "./mail.ts";
import { createMailServer } from "./mail-server.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * If the instance is local (no mail server), mails become files in `<dataDir>/mail`, and `onWritten` gets their paths.
 */
export function createMailer(
  config: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">,
  clock: Clock,
  onWritten: (file: string) => void,
): Mailer {
  const { smtpUrl, mailFrom, dataDir } = config;
  return smtpUrl === null
    ? createMailFolder(dataDir, mailFrom, clock, onWritten)
    : createMailServer(smtpUrl, mailFrom, clock);
}

/**
 * Writes mails to `<dataDir>/mail/<time>-<random>.eml`, readable only by this user (0600), because their links give
 * access to accounts. A file appears under its name only once it is complete.
 */
function createMailFolder(dataDir: string, from: string, clock: Clock, onWritten: (file: string) => void): Mailer {
  const folder = join(dataDir, "mail");
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  return {
    async send(mail) {
      const now = clock.now();
      const { message } = await transport.sendMail(asMessage(mail, from, now));
      const name = `${now.toISOString().replaceAll(":", "-")}-${randomBytes(4).toString("hex")}`;
      const file = join(folder, `${name}.eml`);
      const draft = join(folder, `.${name}.draft`);
      await makeFolder(folder, 0o700);
      await writeFile(draft, message as Buffer, { mode: 0o600, flag: "wx", flush: true });
      await rename(draft, file);
      onWritten(file);
    },
    close: () => transport.close(),
  };
}
