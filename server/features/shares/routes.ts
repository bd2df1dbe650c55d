import type { Share, shares } from "../../../contract/endpoints/shares.ts";
import { limits } from "../../../contract/limits.ts";
import { earliestSentAt, invitationEnd, sharedLevels, shareStatus } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { findUser, readEmail, requireCaller } from "../auth/index.ts";
import {
  estimationLookUp,
  lockForOwnRecord,
  presentEstimation,
  type ReadableEstimation,
  recordActivity,
  setReader,
} from "../estimations/index.ts";
import { acceptInvitations } from "./accept.ts";
import { demandVerified, mailInvitation, tellInvited } from "./invite.ts";
import {
  countShares,
  findShare,
  findShareWith,
  findWhose,
  insertShare,
  listShares,
  listSharesWith,
  removeShare,
  type ShareRow,
  updateShare,
} from "./store.ts";
import { transfer, type WhenOwned } from "./transfer.ts";

/** Returns the share as the API shows it at `now`. */
const presentShare = (row: ShareRow, now: Date): Share => ({
  id: row.id,
  estimationId: row.estimationId,
  estimationTitle: row.estimationTitle,
  email: row.email,
  permission: row.permission,
  status: shareStatus(row, now),
  userId: row.userId,
  userName: row.userName,
  sharerName: row.sharerName,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt.toISOString(),
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  expiresAt: row.acceptedAt ? null : invitationEnd(row.sentAt).toISOString(),
});

const ofEstimation = byId("shares");
const ofAddress = byId("shares.me");

/** Those of `whenOwned` run in the transaction of every transfer. */
export function shareRoutes(
  services: Services,
  whenOwned: readonly WhenOwned[],
): Handlers<typeof shares, ReadableEstimation> {
  const { ids } = services;

  const shown = async (db: Queryable, shareId: string, now: Date) => ({
    share: presentShare((await findShare(db, shareId)) ?? fail("not_found"), now),
  });

  /** Gives an existing share another permission, which applies at once where it was accepted; returns whether it differs. */
  const changePermission = async (tx: Queryable, share: ShareRow, permission: ShareRow["permission"]) => {
    if (share.permission === permission) return false;
    await updateShare(tx, share.id, { permission });
    const { estimationId, userId } = share;
    if (userId !== null) await setReader(tx, { estimationId, userId }, { shared: sharedLevels[permission] });
    return true;
  };

  /** Locks the estimation of a share for the person that the share is about, or else for the owner. Refuses everybody else (403, 404). */
  const lockFor = async (tx: Queryable, shareId: string, userId: string) => {
    const { estimationId, isTheirs } = (await findWhose(tx, services.config, { shareId, userId })) ?? fail("not_found");
    const locked = isTheirs
      ? await lockForOwnRecord(tx, estimationId, userId)
      : await estimationLookUp.lock(tx, estimationId, userId, "own");
    return locked ?? fail("not_found");
  };

  return {
    async listShares({ estimation, query, db, now }) {
      const page = await listPage(
        ofEstimation,
        query,
        (limit, afterId) => listShares(db, estimation.id, limit, afterId),
        limits.pageSizeInside,
      );
      return { data: { shares: page.rows.map((row) => presentShare(row, now)), nextCursor: page.nextCursor } };
    },

    async createShare(call) {
      const { estimation, actor, body, db, now } = call;
      const email = readEmail(body.email);
      const { permission } = body;
      const sharer = requireCaller(await findUser(db, actor.userId));
      if (email === sharer.email) refuseOwnAddress();
      demandVerified(sharer, services);
      const existing = await findShareWith(db, estimation.id, email);
      if (existing) {
        if (await changePermission(db, existing, permission)) {
          await recordActivity(call, "share.changed", { subject: subjectOf({ ...existing, permission }) });
        }
        return { status: 200, data: await shown(db, existing.id, now) };
      }
      const used = async () => 1 + (await countShares(db, estimation.id));
      await services.quotas.reserve(db, { quota: "sharesPerEstimation", used });
      const shareId = ids.next("share");
      await insertShare(db, {
        id: shareId,
        estimationId: estimation.id,
        email,
        permission,
        sharerId: sharer.id,
        userId: null,
        createdAt: now,
        sentAt: now,
        acceptedAt: null,
      });
      await mailInvitation(db, services, { shareId, sharer, email, now });
      await recordActivity(call, "share.invited", { subject: subjectOf({ id: shareId, email, permission }) });
      await tellInvited(db, services, estimation, { shareId, sharer, address: body.email, now });
      return { data: await shown(db, shareId, now) };
    },

    async resendShare({ estimation, actor, params, db, now }) {
      const share = await findShare(db, params.shareId);
      if (share?.estimationId !== estimation.id) fail("not_found");
      const sharer = requireCaller(await findUser(db, actor.userId));
      demandVerified(sharer, services);
      if (share.userId !== null) fail("invitation_accepted");
      await updateShare(db, share.id, { sharerId: sharer.id, sentAt: now });
      await mailInvitation(db, services, { shareId: share.id, sharer, email: share.email, now });
      return { data: await shown(db, share.id, now) };
    },

    async deleteShare(call) {
      const { actor, params, db, now } = call;
      const estimation = await lockFor(db, params.shareId, actor.userId);
      const data = await shown(db, params.shareId, now);
      const { id, userId } = data.share;
      await removeShare(db, estimation.id, id);
      if (userId !== null) await setReader(db, { estimationId: estimation.id, userId }, { shared: null });
      await recordActivity({ ...call, estimation }, "share.removed", { subject: subjectOf(data.share) });
      return { data };
    },

    async listMyShares({ actor, query, db, now }) {
      const user = requireCaller(await findUser(db, actor.userId));
      demandVerified(user, services);
      const page = await listPage(ofAddress, query, (limit, afterId) =>
        listSharesWith(db, { email: user.email, since: earliestSentAt(now) }, limit, afterId),
      );
      return { data: { shares: page.rows.map((row) => presentShare(row, now)), nextCursor: page.nextCursor } };
    },

    async acceptShare({ actor, params, db, now, ip, userAgent }) {
      const user = requireCaller(await findUser(db, actor.userId));
      const share = await findShare(db, params.shareId);
      if (share?.email !== user.email) fail("not_found");
      demandVerified(user, services);
      await acceptInvitations(db, services, user, [share], { ip, userAgent, now });
      const accepted = (await findShare(db, share.id)) ?? fail("not_found");
      if (accepted.userId !== user.id) fail("invitation_expired");
      return { data: { share: presentShare(accepted, now) } };
    },

    async transferEstimation(call) {
      const estimation = await transfer(services, call, whenOwned);
      await recordActivity(call, "estimation.transferred", { subject: { userId: call.body.userId } });
      return { data: { estimation: presentEstimation(estimation) }, revision: estimation.revision };
    },
  };
}

const subjectOf = ({ id, email, permission }: Pick<ShareRow, "id" | "email" | "permission">) => ({
  shareId: id,
  email,
  permission,
});

function refuseOwnAddress(): never {
  return failWith([{ path: "/email", in: "body", code: "not_allowed", message: "must not be your own address" }]);
}
