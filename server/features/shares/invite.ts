import { createHash } from "node:crypto";
import type { Queryable } from "../../db/database.ts";
import { requestMail } from "../../jobs/mail-store.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, findUserByEmail, type UserRow } from "../auth/index.ts";
import { type LockedEstimation, webPages } from "../estimations/index.ts";
import { addNotifications } from "../notifications/index.ts";
import { teamInvitationMail } from "../teams/index.ts";
import { emit } from "../webhooks/index.ts";
import { admitMail, holdInvitation } from "./held-store.ts";
import { invitationMail, requestDigest } from "./mails.ts";
import { countInvitation, countMail, type Invited } from "./sent-store.ts";

/** An invitation to mail, in the name of the user who sends it. */
export interface Mailing {
  readonly invited: Invited;
  /** The id of the estimation, or of the team. */
  readonly about: string;
  readonly sender: Pick<UserRow, "id">;
  /** Normalized. */
  readonly email: string;
  /** Whether it counts against the limits of mails: not after one that the mail server refused for good. */
  readonly isCounted?: boolean;
  readonly now: Date;
}

/**
 * Notifies who has the address, and has the invitation mailed, or joined to the next day's mail if the address has had as many as it may within a day. Refuses
 * (429) more mails for one invitation than are allowed in a day, and more of the sender than in an hour.
 */
export async function mailInvitation(
  tx: Queryable,
  services: Pick<Services, "config" | "ids">,
  { invited, about, sender, email, isCounted = true, now }: Mailing,
): Promise<void> {
  const { config } = services;
  if (isCounted) {
    await countMail(tx, invited, now);
    await countInvitation(tx, sender.id, config.invitationsPerHour, now);
  }
  const recipient = await findUserByEmail(tx, email);
  // An address that is not verified may be anybody's.
  if (recipient && countsAsVerified(recipient, config)) {
    const what =
      invited.to === "share"
        ? ({ kind: "share.invited", estimationId: about, subject: { shareId: invited.id } } as const)
        : ({ kind: "team.invited", estimationId: null, subject: { teamId: about } } as const);
    await addNotifications(tx, services.ids, { ...what, actorId: sender.id, now }, [recipient.id]);
  }
  if (isCounted && !(await admitMail(tx, { address: email, senderId: sender.id, now }))) {
    const digest = await holdInvitation(tx, { invited, address: email, now });
    if (digest) await requestDigest(tx, digest, now);
    return;
  }
  const sentAt = now.toISOString();
  const { to, id } = invited;
  const cause = { cause: `${id} ${sentAt}` };
  if (to === "share") await requestMail(tx, invitationMail, { shareId: id, sentAt }, now, cause);
  else await requestMail(tx, teamInvitationMail, { invitationId: id, sentAt }, now, cause);
}

/** Tells the owner's webhooks of a new share; `address` is the invited one as the sharer wrote it. */
export const tellInvited = (
  tx: Queryable,
  services: Services,
  estimation: LockedEstimation,
  { shareId, sharer, address, now }: { shareId: string; sharer: UserRow; address: string; now: Date },
): Promise<void> =>
  emit(tx, services, {
    event: "share.invited",
    data: {
      shareId,
      estimationId: estimation.id,
      sharerName: sharer.name,
      recipientEmailHash: createHash("sha256").update(address.trim().toLowerCase()).digest("hex"),
      estimationTitle: estimation.title,
      estimationUrl: webPages.estimation(services.config.webUrl, estimation.id),
    },
    userIds: [estimation.ownerId],
    senderId: sharer.id,
    now,
  });
