import { limits } from "../../../contract/limits.ts";
import type { Letter } from "../../platform/letter.ts";
import type { LinkPurpose } from "./tables.ts";

/** Events that the owner of an account is told about. */
export type NoticeKind =
  | "password-changed"
  | "password-reset"
  | "google-linked"
  | "administrator-granted"
  | "administrator-revoked";

/** What gives access to an account besides sessions and passwords, and so outlives both: the number of each. */
export interface OtherAccess {
  /** Neither revoked nor expired. */
  readonly apiKeys: number;
  readonly webhooks: number;
}

/** The content of a notice. All of it comes from the service or the owner of the address. */
export interface NoticeFacts {
  readonly webUrl: string;
  /** When it happened, ISO 8601. */
  readonly at: string;
  /** The account's address. */
  readonly email: string;
  readonly hasPassword: boolean;
  readonly passwordRemoved: boolean;
  /** Host of the OpenID provider. */
  readonly provider: string;
  readonly otherAccess: OtherAccess;
}

const minutes = limits.mailedLinkSeconds / 60;

/** Links begin with `webUrl`, never with a host name taken from a request. */
const link = (webUrl: string, page: string, token: string): string => `${webUrl}/${page}?token=${token}`;

/**
 * The mails with a link. They contain nothing that another person may have chosen, such as the account's name: anybody
 * can have them sent to any address.
 */
export const linkMails: Record<LinkPurpose, (webUrl: string, token: string, byAdministrator: boolean) => Letter> = {
  "reset-password": (webUrl, token, byAdministrator) => ({
    subject: "Reset your password",
    paragraphs: [
      byAdministrator
        ? "An administrator sends you a link to reset the password of your account."
        : "Somebody, probably you, asked to reset the password of your account.",
    ],
    link: { label: "Choose a new password", url: link(webUrl, "reset-password", token) },
    more: [
      `The link works once, within ${minutes} minutes, and only until a newer one is sent. Your API keys keep working.`,
      byAdministrator
        ? "Until you use it, the password stays as it is."
        : "If it was not you, there is nothing to do: the password stays as it is.",
    ],
  }),
  "verify-email": (webUrl, token) => ({
    subject: "Confirm your e-mail address",
    paragraphs: ["An account was created with this e-mail address. If you created it, confirm the address."],
    link: { label: "Confirm the address", url: link(webUrl, "verify-email", token) },
    more: [
      `The link works once, within ${minutes} minutes. You can request a new one after signing in.`,
      `If you did not create the account, do not open the link: without it the address is never confirmed. If you want to use the account, reset its password at ${webUrl}/forgot-password instead, so that nobody else can.`,
    ],
  }),
};

/** The mails that tell the owner what was done. */
export const noticeMails: Record<NoticeKind, (facts: NoticeFacts) => Letter> = {
  "password-changed": (facts) => passwordNotice(facts, `The password of your account was changed at ${facts.at}.`),
  "password-reset": (facts) =>
    passwordNotice(
      facts,
      `The password of your account was reset through a mailed link at ${facts.at}.`,
      leftOver(facts.otherAccess),
    ),
  "google-linked": ({ webUrl, at, email, provider, hasPassword, passwordRemoved, otherAccess }) => ({
    subject: "Another way to sign in was added",
    paragraphs: [
      `Since ${at}, anyone who signs in at ${provider} as ${email} is signed in to your account with this address. Everybody who was signed in before has been signed out.`,
      ...(passwordRemoved
        ? [
            `The account had a password from before its address was confirmed, so somebody else may have chosen it: it was removed. If you want one, set it at ${webUrl}/forgot-password.`,
          ]
        : []),
      ...(hasPassword
        ? [
            `The account also has a password, which keeps working. If you did not choose it yourself, set a new one at ${webUrl}/forgot-password.`,
          ]
        : []),
      ...leftOver(otherAccess),
      `If it was not you, secure your account at ${provider}.`,
    ],
  }),
  "administrator-granted": ({ webUrl, at }) => ({
    subject: "You are an administrator now",
    paragraphs: [
      `Since ${at}, your account is an administrator of this instance: the operator did that on the command line.`,
      "You can disable accounts, hand estimations over and erase, but see no estimation that is not shared with you.",
    ],
    link: { label: "Open the administration", url: `${webUrl}/admin/users` },
    more: ["If you did not expect this, ask whoever runs the instance."],
  }),
  "administrator-revoked": ({ at }) => ({
    subject: "You are no administrator any more",
    paragraphs: [
      `Since ${at}, your account is an ordinary one again: the operator did that on the command line. Nothing else has changed.`,
    ],
  }),
};

/** Of all that whoever signed in has chosen, only what a list of browsers and systems has is repeated. */
export const newSignInMail = ({
  webUrl,
  at,
  ip,
  device,
}: Pick<NoticeFacts, "webUrl" | "at"> & { readonly ip: string | null; readonly device: string | null }): Letter => ({
  subject: "New sign-in to your account",
  paragraphs: [
    `Somebody signed in to your account at ${at}${ip === null ? "" : ` from ${ip}`}, an address that your account has not been used from in the last 90 days.${device === null ? "" : ` Browser: ${device}.`}`,
    "If it was you, there is nothing to do.",
  ],
  link: { label: "See where you are signed in", url: `${webUrl}/profile/security` },
  more: [
    `If it was not you, end that session there, reset the password at ${webUrl}/forgot-password, and check your API keys.`,
  ],
});

const passwordNotice = ({ webUrl }: NoticeFacts, what: string, more: readonly string[] = []): Letter => ({
  subject: "Your password was changed",
  paragraphs: [
    `${what} Everybody who was signed in has been signed out; API keys keep working.`,
    ...more,
    `If it was not you, reset the password at ${webUrl}/forgot-password and then check your API keys and the audit log.`,
  ],
});

/** Somebody who had the account before its owner may have left these behind. */
function leftOver({ apiKeys, webhooks }: OtherAccess): string[] {
  const counted = (count: number, name: string) => (count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`]);
  const things = [...counted(apiKeys, "API key"), ...counted(webhooks, "webhook")];
  if (things.length === 0) return [];
  const calls = [
    ...(apiKeys > 0 ? ["GET /api/api-keys lists the keys and DELETE /api/api-keys/:id revokes one"] : []),
    ...(webhooks > 0 ? ["GET /api/webhooks lists the webhooks and DELETE /api/webhooks/:id deletes one"] : []),
  ];
  return [
    `The account has ${things.join(" and ")}, which stay valid after a change of the password. Check them, and remove those that you do not know: ${calls.join("; ")}.`,
  ];
}
