import { limits } from "../../../contract/limits.ts";
import type { LinkPurpose } from "./tables.ts";

/** Why the owner of an account is written to. */
export type MailKind = LinkPurpose | "password-changed" | "password-reset";

/** What a mail says. Links begin with `webUrl`, never with what a request called this service. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

const minutes = limits.mailedLinkSeconds / 60;

const link = (webUrl: string, page: string, token: string): string => `${webUrl}/${page}?token=${token}`;

/**
 * The mails with a link. They hold nothing that somebody else may have chosen, such as the account's name: anybody can
 * have them sent to any address.
 */
export const linkMails: Record<LinkPurpose, (webUrl: string, token: string) => MailText> = {
  "reset-password": (webUrl, token) => ({
    subject: "Reset your password",
    text: [
      "Somebody, probably you, asked to reset the password of your account. Choose a new one here:",
      link(webUrl, "reset-password", token),
      `The link works once, within ${minutes} minutes, and only as long as no newer one is sent. Your API keys keep working.`,
      "If it was not you, there is nothing to do: the password stays as it is.",
    ].join("\n\n"),
  }),
  "verify-email": (webUrl, token) => ({
    subject: "Confirm your e-mail address",
    text: [
      "An account was made with this e-mail address. If it is yours, confirm that here:",
      link(webUrl, "verify-email", token),
      `The link works once, within ${minutes} minutes. A new one can be asked for after signing in.`,
      "If the account is not yours, do not open the link: without it the account is never taken for yours.",
    ].join("\n\n"),
  }),
};

/** The mails that tell the owner what has been done. */
export const noticeMails: Record<Exclude<MailKind, LinkPurpose>, (webUrl: string, at: string) => MailText> = {
  "password-changed": (webUrl, at) => notice(webUrl, `The password of your account was changed at ${at}.`),
  "password-reset": (webUrl, at) =>
    notice(webUrl, `The password of your account was set anew through a mailed link at ${at}.`),
};

const notice = (webUrl: string, what: string): MailText => ({
  subject: "Your password was changed",
  text: [
    `${what} Everybody who was signed in has been signed out; API keys keep working.`,
    `If it was not you, reset the password at ${webUrl}/forgot-password and then look through your API keys and the audit log.`,
  ].join("\n\n"),
});
