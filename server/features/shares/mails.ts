import { limits } from "../../../contract/limits.ts";
import { invitationEnd } from "../../../domain/shares.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail } from "../../jobs/mail-store.ts";
import type { Mail } from "../../platform/mail.ts";
import type { Services } from "../../services.ts";
import { countsAsVerified, findUser, findUserByEmail } from "../auth/index.ts";
import { webPages } from "../estimations/index.ts";
import { findShare } from "./store.ts";

/** One sending of an invitation. */
interface Sending {
  readonly shareId: string;
  /** ISO 8601. */
  readonly sentAt: string;
}

export const invitationMail = defineMail<Sending>("share-invitation");

/** What the mail of an invitation is written from. */
interface InvitationFacts {
  /** Page that accepts it. */
  readonly link: string;
  /** Page that sets a new password. */
  readonly resetLink: string;
  readonly sharerEmail: string;
  readonly endsAt: Date;
  /** What others chose; null where the address is not verified, because it may be anybody's. */
  readonly chosen: { readonly title: string; readonly sharerName: string } | null;
}

/** Writes the mails of invitations; none if it was accepted, deleted or sent again meanwhile. */
export const shareMails = ({ config, pool, clock }: Services): MailRow[] => [
  writeMail(invitationMail, async ({ shareId, sentAt }) => {
    const share = await findShare(pool, shareId);
    const isWanted = share && share.userId === null && share.sentAt.toISOString() === sentAt;
    if (!isWanted || invitationEnd(share.sentAt) < clock.now()) return null;
    const sharer = await findUser(pool, share.sharerId);
    if (!sharer) return null;
    const recipient = await findUserByEmail(pool, share.email);
    const isVerified = recipient !== undefined && countsAsVerified(recipient, config);
    return {
      to: share.email,
      cause: `${invitationMail.name} ${shareId} ${sentAt}`,
      ...textOf({
        link: webPages.invitation(config.webUrl, shareId),
        resetLink: `${config.webUrl}/forgot-password`,
        sharerEmail: sharer.email,
        endsAt: invitationEnd(share.sentAt),
        chosen: isVerified ? { title: share.estimationTitle, sharerName: sharer.name } : null,
      }),
    };
  }),
];

/**
 * Returns the mail. The subject is always the same, and the invited address is not repeated: the sharer chose it, and may
 * have put words into it.
 */
function textOf({ link, resetLink, sharerEmail, endsAt, chosen }: InvitationFacts): Omit<Mail, "to"> {
  const what = chosen
    ? `${oneLine(chosen.sharerName)} (${sharerEmail}) shared the estimation "${oneLine(chosen.title)}" with you.`
    : `${sharerEmail} shared an estimation with you.`;
  const how = chosen
    ? "Open it here, signed in with the address that this mail was sent to:"
    : `To see it, create an account with the address that this mail was sent to, and confirm the address. If there is an account with it that you did not create yourself, do not confirm it, but set a new password: ${resetLink}\n\nThen open:`;
  return {
    subject: "An estimation was shared with you",
    text: [
      what,
      how,
      link,
      `The invitation is valid until ${endsAt.toISOString()}. It works only for the address that this mail was sent to.`,
      "If you do not know the sender, there is nothing to do.",
    ].join("\n\n"),
  };
}

/** Returns text that somebody chose as one line of visible characters, cut to `limits.mailedTextLength`. */
function oneLine(text: string): string {
  const characters = [...text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()];
  const { mailedTextLength } = limits;
  return characters.length <= mailedTextLength
    ? characters.join("")
    : `${characters.slice(0, mailedTextLength - 1).join("")}…`;
}
