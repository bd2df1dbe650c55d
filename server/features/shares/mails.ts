import { invitationEnd } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail, requestMail } from "../../jobs/mail-store.ts";
import { inWords, type Letter, oneLine } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, findUser, findUserByEmail } from "../auth/index.ts";
import { webPages } from "../estimations/index.ts";
import { type Digest, type HeldInvitation, listHeld } from "./held-store.ts";
import { findShare } from "./store.ts";

/** One sending of an invitation. */
interface Sending {
  readonly shareId: string;
  /** ISO 8601. */
  readonly sentAt: string;
}

export const invitationMail = defineMail<Sending>("share-invitation");

/** A mail with several invitations. */
interface DigestFacts {
  /** SHA-256 of the address, as hex digits. */
  readonly addressHash: string;
  /** ISO 8601. */
  readonly dueAt: string;
}

const digestMail = defineMail<DigestFacts>("share-digest");
/** Invitations that one mail names. */
const NAMED = 20;

/** Requests the mail with the invitations that wait for it. */
export const requestDigest = (tx: Queryable, { addressHash, dueAt }: Digest, now: Date): Promise<void> =>
  requestMail(tx, digestMail, { addressHash, dueAt: dueAt.toISOString() }, dueAt, {
    cause: `${addressHash} ${dueAt.toISOString()}`,
    delayMs: dueAt.getTime() - now.getTime(),
  });

/** What the mail of an invitation is written from. */
interface InvitationFacts {
  /** Page that accepts it. */
  readonly link: string;
  /** Page that sets a new password. */
  readonly resetLink: string;
  readonly sharerEmail: string;
  readonly endsAt: Date;
  /** Texts that others chose; null if the address is not verified, because it may be anybody's. */
  readonly chosen: { readonly title: string; readonly sharerName: string; readonly readerName: string } | null;
}

/** Writes the mails of invitations; none if it was accepted, deleted or sent again meanwhile. */
export const shareMails = ({ config, pool, clock }: Services): MailRow[] => [
  writeMail(invitationMail, async ({ shareId, sentAt }) => {
    const share = await findShare(pool, shareId);
    const email = share?.email ?? null;
    const isWanted = share && email !== null && share.userId === null && share.sentAt.toISOString() === sentAt;
    if (!isWanted || invitationEnd(share.sentAt) < clock.now()) return null;
    const sharer = await findUser(pool, share.sharerId);
    if (!sharer) return null;
    const recipient = await findUserByEmail(pool, email);
    const isVerified = recipient !== undefined && countsAsVerified(recipient, config);
    return {
      to: email,
      // Their subjects may be the same: without this, programs show invitations to different estimations as one conversation.
      conversation: `shares of ${share.estimationId}`,
      ...letterOf({
        link: webPages.invitation(config.webUrl, shareId),
        resetLink: `${config.webUrl}/forgot-password`,
        sharerEmail: sharer.email,
        endsAt: invitationEnd(share.sentAt),
        chosen: isVerified
          ? { title: share.estimationTitle, sharerName: sharer.name, readerName: recipient.name }
          : null,
      }),
    };
  }),
  writeMail(digestMail, async ({ addressHash, dueAt }) => {
    const held = await listHeld(pool, { addressHash, dueAt: new Date(dueAt) }, NAMED + 1);
    const valid = held.filter(({ sentAt }) => invitationEnd(sentAt) >= clock.now());
    const [first] = valid;
    if (!first) return null;
    const recipient = await findUserByEmail(pool, first.email);
    const reader = recipient !== undefined && countsAsVerified(recipient, config) ? recipient.name : null;
    return { to: first.email, ...digestOf(valid, reader, config.webUrl) };
  }),
];

/** Returns the mail with several invitations; like the mail with one, it names nothing that others chose to an unverified address. */
function digestOf(held: readonly HeldInvitation[], reader: string | null, webUrl: string): Letter {
  const named = held.slice(0, NAMED).map(({ to, title, senderName, senderEmail }) => {
    if (reader === null) return senderEmail;
    return `${to === "team" ? "the team " : ""}"${oneLine(title)}" by ${oneLine(senderName)} (${senderEmail})`;
  });
  const lines = [...new Set(named), ...(held.length > NAMED ? ["and others"] : [])];
  const toTeams = held.some(({ to }) => to === "team");
  const what = toTeams ? "You have more invitations" : "More estimations were shared with you";
  const isOnlyTeams = held.every(({ to }) => to === "team");
  return {
    subject: toTeams ? "You have invitations" : "Estimations were shared with you",
    name: reader ?? undefined,
    paragraphs: [reader === null ? `${what}, by:` : `${what}:`, lines.join("\n")],
    link: isOnlyTeams
      ? { label: "See your invitations", url: `${webUrl}/teams` }
      : { label: "See what is shared with you", url: `${webUrl}/shared` },
    more: [
      reader === null
        ? "Create an account with the address that this mail was sent to, and confirm the address."
        : "Sign in with the address that this mail was sent to.",
      "If you do not know the senders, there is nothing to do.",
    ],
  };
}

/**
 * Returns the mail. To an unverified address the subject is always the same. The invited address is not repeated: the sharer
 * chose it, and may have put words into it.
 */
function letterOf({ link, resetLink, sharerEmail, endsAt, chosen }: InvitationFacts): Letter {
  const what = chosen
    ? `${oneLine(chosen.sharerName)} (${sharerEmail}) shared the estimation "${oneLine(chosen.title)}" with you.`
    : `${sharerEmail} shared an estimation with you.`;
  const how = chosen
    ? "Open it while signed in with the address that this mail was sent to."
    : `To see it, create an account with the address that this mail was sent to, and confirm the address. If there is an account with it that you did not create yourself, do not confirm it, but set a new password: ${resetLink}`;
  return {
    subject: chosen ? `Shared with you: ${oneLine(chosen.title)}` : "An estimation was shared with you",
    name: chosen?.readerName,
    paragraphs: [what, how],
    link: { label: "Open the estimation", url: link },
    more: [
      `The invitation is valid until ${inWords(endsAt)}. It works only for the address that this mail was sent to.`,
      "If you do not know the sender, there is nothing to do.",
    ],
  };
}
