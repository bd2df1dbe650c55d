import { createHash } from "node:crypto";

/** A mail. Nothing in it may be chosen by a person who has not verified the address `to`. */
export interface Mail {
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  /** The whole mail in plain text … */
  readonly text: string;
  /** … and the same as an HTML document. */
  readonly html?: string;
  /**
   * Names what the mail is about. Mails of one cause have the same `Message-ID`, so that one that is sent twice can be
   * recognised; without a cause it is random.
   */
  readonly cause?: string;
  /**
   * Names the conversation that the mail is a part of: mail programs show those of one together, and those of different ones
   * apart, although their subjects may be the same.
   */
  readonly conversation?: string;
  /** Address that a mail program posts to when its reader unsubscribes (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/** Sends mails, through a mail server or, if none is configured, into a folder. */
export interface Mailer {
  /**
   * Resolves when the mail was accepted. Rejects with `MailRefused` (`AddressRefused`) or `MailFailed`, whose messages quote nothing of
   * the mail.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server will never accept this mail for this address. */
export class MailRefused extends Error {}

/** The mail server will never accept any mail for this address. */
export class AddressRefused extends MailRefused {}

/** The mail was not sent; trying again later may succeed. */
export class MailFailed extends Error {}

/**
 * A mail in the library's form. Addresses are passed as objects, so that no part of one is read as a second address.
 */
export const asMessage = (
  { to, subject, text, html, cause, conversation, unsubscribeUrl }: Mail,
  from: string,
  date: Date,
) => ({
  from,
  // All answer a first mail, which need not exist (RFC 5322, 3.6.4): so it does not matter which of them is sent first.
  ...(conversation === undefined ? {} : inConversation(messageIdOf(`conversation ${conversation}`, from))),
  ...(cause === undefined ? {} : { messageId: messageIdOf(cause, from) }),
  to: { name: "", address: to },
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  date,
  headers: {
    // RFC 3834: no vacation notices in reply to these.
    "Auto-Submitted": "auto-generated",
    ...(unsubscribeUrl === undefined
      ? {}
      : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
});

const inConversation = (first: string) => ({ inReplyTo: first, references: first });

/** A hash, because a `Message-ID` is stored by every server that the mail passes. */
function messageIdOf(cause: string, from: string): string {
  const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? "localhost";
  return `<${createHash("sha256").update(cause).digest("hex").slice(0, 40)}@${domain}>`;
}
