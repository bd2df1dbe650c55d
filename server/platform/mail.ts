/** A mail in plain text. Nothing in it may be the choice of somebody who has not proved the address `to`. */
export interface Mail {
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails, through a mail server or, where none is configured, into a folder. */
export interface Mailer {
  /** Resolves when the mail was taken over. Rejects with `MailRefused` or `MailFailed`, whose texts quote nothing of the mail. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server will not take this mail for this address, now or later. */
export class MailRefused extends Error {}

/** The mail was not sent; trying again later may succeed. */
export class MailFailed extends Error {}

/** A mail as the library takes it. Addresses are given apart, so that no part of one is read as a second one. */
export const asMessage = ({ to, subject, text }: Mail, from: string, date: Date) => ({
  from,
  to: { name: "", address: to },
  subject,
  text,
  date,
  // RFC 3834: no vacation notices in answer to these.
  headers: { "Auto-Submitted": "auto-generated" },
  disableFileAccess: true,
  disableUrlAccess: true,
});
