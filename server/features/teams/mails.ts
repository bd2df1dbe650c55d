import { invitationEnd } from "../../../domain/shares.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail } from "../../jobs/mail-store.ts";
import { inWords, type Letter, oneLine } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, findUser, findUserByEmail } from "../auth/index.ts";
import { findInvitation } from "./invitation-store.ts";

/** One sending of an invitation. */
interface Sending {
  readonly invitationId: string;
  /** ISO 8601. */
  readonly sentAt: string;
}

export const teamInvitationMail = defineMail<Sending>("team-invitation");

/** Writes the mails with invitations to teams; none if it was accepted, withdrawn or sent again meanwhile. */
export const teamMails = ({ config, pool, clock }: Services): MailRow[] => [
  writeMail(teamInvitationMail, async ({ invitationId, sentAt }) => {
    const invitation = await findInvitation(pool, invitationId);
    if (invitation?.sentAt.toISOString() !== sentAt || invitationEnd(invitation.sentAt) < clock.now()) return null;
    const inviter = await findUser(pool, invitation.inviterId);
    if (!inviter) return null;
    const recipient = await findUserByEmail(pool, invitation.email);
    const isVerified = recipient !== undefined && countsAsVerified(recipient, config);
    return {
      to: invitation.email,
      ...letterOf({
        resetLink: `${config.webUrl}/forgot-password`,
        link: `${config.webUrl}/teams/${invitation.teamId}/invitation`,
        inviterEmail: inviter.email,
        endsAt: invitationEnd(invitation.sentAt),
        chosen: isVerified
          ? { teamName: invitation.teamName, inviterName: inviter.name, readerName: recipient.name }
          : null,
      }),
    };
  }),
];

/** What the mail of an invitation is written from. */
interface InvitationFacts {
  /** Page that accepts or declines it. */
  readonly link: string;
  /** Page that sets a new password. */
  readonly resetLink: string;
  readonly inviterEmail: string;
  readonly endsAt: Date;
  /** Texts that others chose; null if the address is not verified, because it may be anybody's. */
  readonly chosen: { readonly teamName: string; readonly inviterName: string; readonly readerName: string } | null;
}

function letterOf({ link, resetLink, inviterEmail, endsAt, chosen }: InvitationFacts): Letter {
  return {
    subject: "You are invited to a team",
    name: chosen?.readerName,
    paragraphs: [
      chosen
        ? `${oneLine(chosen.inviterName)} (${inviterEmail}) invites you to the team "${oneLine(chosen.teamName)}".`
        : `${inviterEmail} invites you to a team.`,
      chosen
        ? "Members see the estimations that are shared with the team. Nothing happens until you accept."
        : `To accept, create an account with the address that this mail was sent to, and confirm the address. If there is an account with it that you did not create yourself, do not confirm it, but set a new password: ${resetLink}`,
    ],
    link: { label: "See the invitation", url: link },
    more: [
      `The invitation is valid until ${inWords(endsAt)}. It works only for the address that this mail was sent to.`,
      "If you do not know the sender, there is nothing to do.",
    ],
  };
}
