import { earliestSentAt, sharedLevels } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import type { UserRow } from "../auth/index.ts";
import { addShared, type LockedEstimation, recordActivity } from "../estimations/index.ts";
import { endEarlierAccess } from "./earlier-access.ts";
import { mailInvitation, tellInvited } from "./invite.ts";
import { countShares, findShareWith, insertShare, markAcceptedBy, updateShare } from "./store.ts";

/** Somebody who is to read an estimation: a user without access, whose address is verified, or an address of no such user. */
type Guest = { readonly user: UserRow; readonly email?: never } | { readonly email: string; readonly user?: never };

interface GivingCall {
  readonly db: Queryable;
  readonly estimation: LockedEstimation;
  readonly actor: { readonly userId: string };
  readonly now: Date;
}

/**
 * Shares a locked estimation with the permission `view` with somebody who is asked for something that needs it. A user can read it
 * at once, as a reviewer can; an address is invited, and mailed. An invitation that stands is left as it is, and one that has
 * expired is sent again. Refuses (409) more shares than an estimation may have, and (429) more mails than may be sent.
 */
export async function shareToView(services: Services, call: GivingCall, sharer: UserRow, guest: Guest): Promise<void> {
  const { db, estimation, now } = call;
  const { user } = guest;
  const email = guest.user ? guest.user.email : guest.email;
  const existing = await findShareWith(db, estimation.id, email);
  const id = existing?.id ?? services.ids.next("share");
  if (!existing) {
    const used = async () => 1 + (await countShares(db, estimation.id));
    await services.quotas.reserve(db, { quota: "sharesPerEstimation", used });
    await insertShare(db, {
      ...{ id, estimationId: estimation.id, email, permission: "view", sharerId: sharer.id },
      ...{ userId: null, createdAt: now, sentAt: now, acceptedAt: null },
    });
  }
  if (user) {
    await endEarlierAccess(db, services, user, { ip: null, userAgent: null, now });
    await markAcceptedBy(db, id, user.id, now);
    const level = sharedLevels[existing?.permission ?? "view"];
    await addShared(db, user.id, [{ estimationId: estimation.id, level }]);
  } else if (!existing || existing.sentAt < earliestSentAt(now)) {
    if (existing) await updateShare(db, id, { sharerId: sharer.id, sentAt: now });
    await mailInvitation(db, services, {
      ...{ invited: { to: "share", id }, about: estimation.id, sender: sharer, email, now },
    });
  }
  if (existing) return;
  await recordActivity(call, "share.invited", { subject: { shareId: id, email, permission: "view" } });
  await tellInvited(db, services, estimation, { shareId: id, sharer, address: email, now });
}
