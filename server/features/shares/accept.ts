import { earliestSentAt, sharedLevels } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import type { Origin } from "../audit-log/index.ts";
import { countsAsVerified, type OnSignedIn, type UserRow } from "../auth/index.ts";
import { addShared, lockEstimations, recordActivities } from "../estimations/index.ts";
import { emitAll } from "../webhooks/index.ts";
import { findInvitations, type Invitation, markAccepted } from "./accept-store.ts";
import { endEarlierAccess } from "./earlier-access.ts";

/** Invitations accepted at one sign-in, which waits for them; the next accepts the others. */
export const AT_ONE_SIGN_IN = 50;

/** Accepts the pending invitations of everybody who signs in with, or has just proved, a verified address. */
export const acceptAtSignIn =
  (services: Services): OnSignedIn =>
  async (tx, user, moment) => {
    if (!countsAsVerified(user, services.config)) return;
    const since = earliestSentAt(moment.now);
    const invitations = await findInvitations(tx, user.email, since, AT_ONE_SIGN_IN);
    if (invitations.length > 0) await acceptInvitations(tx, services, user, invitations, moment);
  };

/**
 * Accepts invitations to the verified address of `user`, in the transaction `tx`, with one `share.accepted` each to the
 * webhooks of owner and user. Leaves out those that were deleted, accepted or expired meanwhile. Locks the estimations,
 * then the shares, then the readers.
 */
export async function acceptInvitations(
  tx: Queryable,
  services: Services,
  user: UserRow,
  invitations: readonly Invitation[],
  moment: Origin & { readonly now: Date },
): Promise<void> {
  const { now } = moment;
  const locked = await lockEstimations(
    tx,
    invitations.map(({ estimationId }) => estimationId),
  );
  const owners = new Map(locked.map(({ id, ownerId }) => [id, ownerId]));
  const shareIds = invitations.filter(({ estimationId }) => owners.has(estimationId)).map(({ id }) => id);
  const accepted = await markAccepted(tx, shareIds, user, { now, since: earliestSentAt(now) });
  if (accepted.length === 0) return;
  await endEarlierAccess(tx, services, user, moment);
  await addShared(
    tx,
    user.id,
    accepted.map(({ estimationId, permission }) => ({ estimationId, level: sharedLevels[permission] })),
  );
  await recordActivities(
    tx,
    { personId: user.id, kind: "share.accepted", now },
    accepted.map(({ id, estimationId }) => ({ estimationId, subject: { shareId: id } })),
  );
  await emitAll(tx, services, {
    event: "share.accepted",
    senderId: user.id,
    now,
    all: accepted.map(({ id, estimationId }) => ({
      data: { shareId: id, estimationId, accepterEmail: user.id },
      userIds: [owners.get(estimationId) ?? "", user.id],
    })),
  });
}
