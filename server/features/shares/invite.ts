import { createHash } from "node:crypto";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { requestMail } from "../../jobs/mail-store.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, type UserRow } from "../auth/index.ts";
import { type LockedEstimation, webPages } from "../estimations/index.ts";
import { emit } from "../webhooks/index.ts";
import { admitMail, holdInvitation } from "./held-store.ts";
import { invitationMail, requestDigest } from "./mails.ts";
import { countInvitation, countMail } from "./sent-store.ts";

/** Refuses (403) a user whose address is not verified. */
export function demandVerified(user: UserRow, { config }: Pick<Services, "config">): void {
  if (!countsAsVerified(user, config)) fail("forbidden", { details: { reason: "email_not_verified" } });
}

/**
 * Has an invitation mailed, or joined to the next day's mail if the address has had as many as it may within a day. Refuses
 * (429) more mails for one share than are allowed in a day, and more of `sharer` than in an hour.
 */
export async function mailInvitation(
  tx: Queryable,
  { config }: Services,
  {
    shareId,
    sharer,
    email,
    now,
  }: { readonly shareId: string; readonly sharer: UserRow; readonly email: string; readonly now: Date },
): Promise<void> {
  await countMail(tx, shareId, now);
  await countInvitation(tx, sharer.id, config.invitationsPerHour, now);
  if (!(await admitMail(tx, { address: email, senderId: sharer.id, now }))) {
    const digest = await holdInvitation(tx, { shareId, address: email, now });
    if (digest) await requestDigest(tx, digest, now);
    return;
  }
  const sentAt = now.toISOString();
  await requestMail(tx, invitationMail, { shareId, sentAt }, now, { cause: `${shareId} ${sentAt}` });
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
