import type { Config } from "../config.ts";
import type { Clock } from "./clock.ts";
import type { Mailer } from "./mail.ts";
import { createMailFolder } from "./mail-folder.ts";
import { createMailServer } from "./mail-server.ts";

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
