import { createTransport, type NodemailerError } from "nodemailer";
import { isLoopbackName } from "../config.ts";
import type { Clock } from "./clock.ts";
import { AddressRefused, asMessage, type Mailer, MailFailed, MailRefused } from "./mail.ts";

/** Mails are sent one by one over few connections; the job queue handles waiting and retries. */
const CONNECTIONS = 2;
const TIMEOUT_MS = 15_000;

/**
 * Sends through the server at `smtpUrl`, whose query may contain options of the library. A password is never sent
 * unencrypted to another machine: with a password the connection must be encrypted, unless `requireTLS=false` is given.
 */
export function createMailServer(smtpUrl: string, from: string, clock: Clock): Mailer {
  const { username, hostname, searchParams } = new URL(smtpUrl);
  const secured = username !== "" && !isLoopbackName(hostname) && !searchParams.has("requireTLS");
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    ...(secured ? { requireTLS: true } : {}),
  });
  // Without a listener an error on an idle connection would end the process; a mail in progress is rejected separately.
  transport.on("error", () => {});
  return {
    async send(mail) {
      try {
        await transport.sendMail(asMessage(mail, from, clock.now()));
      } catch (error) {
        throw judge(error);
      }
    },
    close: () => transport.close(),
  };
}

/** The server's own words may quote the mail, and errors of jobs are stored: so only codes are. */
function judge(error: unknown): Error {
  const { code = "", responseCode = 0, command = "", permanent } = (error ?? {}) as Partial<NodemailerError>;
  const facts = [code, responseCode || "", command].filter(Boolean).join(" ");
  // Only errors about the recipient or the mail; a rejected login is for the operator to fix.
  const forGood = permanent === true && (command === "RCPT TO" || command === "DATA");
  if (!forGood) return new MailFailed(`the mail was not sent: ${facts || "no reason is known"}`);
  const Refusal = command === "RCPT TO" ? AddressRefused : MailRefused;
  return new Refusal(`the mail server refused the mail for good: ${facts}`);
}
