import type { Share, shares } from "../../../contract/endpoints/shares.ts";
import { limits } from "../../../contract/limits.ts";
import { earliestSentAt, invitationEnd, sharedLevels, shareStatus } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call, Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { demandVerified, findUser, readEmail, requireCaller } from "../auth/index.ts";
import {
  estimationLookUp,
  lockForOwnRecord,
  presentEstimation,
  type ReadableEstimation,
  recordActivity,
  setReader,
  setTeamLevel,
} from "../estimations/index.ts";
import { lockMembership, roleIn } from "../teams/index.ts";
import { acceptInvitations } from "./accept.ts";
import { mailInvitation, tellInvited } from "./invite.ts";
import {
  countShares,
  findShare,
  findShareWith,
  findShareWithTeam,
  findWhose,
  insertShare,
  listShares,
  listSharesOfTeam,
  listSharesWith,
  removeShare,
  type ShareRow,
  updateShare,
} from "./store.ts";
import { insertTeamShare } from "./team-shares.ts";
import { transfer, type WhenOwned } from "./transfer.ts";

/** Returns the share as the API shows it at `now`. */
const presentShare = (row: ShareRow, now: Date): Share => ({
  id: row.id,
  estimationId: row.estimationId,
  estimationTitle: row.estimationTitle,
  email: row.email,
  team: row.teamId === null ? null : { id: row.teamId, name: row.teamName ?? "" },
  permission: row.permission,
  status: shareStatus(row, now),
  userId: row.userId,
  userName: row.userName,
  sharerName: row.sharerName,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt.toISOString(),
  undeliveredAt: row.undeliveredAt?.toISOString() ?? null,
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  expiresAt: row.acceptedAt ? null : invitationEnd(row.sentAt).toISOString(),
});

const ofEstimation = byId("shares");
const ofTeam = byId("shares.team");
const ofAddress = byId("shares.me");

type CreateShareCall = Call<typeof shares.createShare, ReadableEstimation>;

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
    const { estimationId, userId, teamId } = share;
    const level = sharedLevels[permission];
    if (teamId !== null) await setTeamLevel(tx, { id: estimationId }, teamId, level);
    else if (userId !== null) await setReader(tx, { estimationId, userId }, { shared: level });
    return true;
  };

  /**
   * Locks the estimation of a share for the person that the share is about, for an admin of its team, or else for the owner.
   * Refuses everybody else (403, 404).
   */
  const lockFor = async (tx: Queryable, shareId: string, userId: string) => {
    const { estimationId, teamId, isTheirs } =
      (await findWhose(tx, services.config, { shareId, userId })) ?? fail("not_found");
    const isAdmin = teamId !== null && (await roleIn(tx, teamId, userId)) === "admin";
    const locked =
      isTheirs || isAdmin
        ? await lockForOwnRecord(tx, estimationId, userId)
        : await estimationLookUp.lock(tx, estimationId, userId, "own");
    if (isAdmin && locked?.ownerId !== userId) {
      const membership = await lockMembership(tx, teamId, userId);
      if (membership?.role !== "admin") fail("forbidden");
    }
    return locked ?? fail("not_found");
  };

  /** Shares with a team of the caller. A share that stands needs no membership: only its permission can change. */
  const shareWithTeam = async (call: CreateShareCall, sharerId: string, teamId: string) => {
    const { estimation, body, db, now } = call;
    const { permission } = body;
    const existing = await findShareWithTeam(db, estimation.id, teamId);
    if (existing) return existing;
    if ((await lockMembership(db, teamId, sharerId)) === null) refuse("teamId", "must be the id of a team of yours");
    const used = async () => 1 + (await countShares(db, estimation.id));
    await services.quotas.reserve(db, { quota: "sharesPerEstimation", used });
    const id = ids.next("share");
    await insertTeamShare(db, { id, estimationId: estimation.id, teamId, permission, sharerId, now });
    await recordActivity(call, "share.invited", { subject: subjectOf({ id, email: null, teamId, permission }) });
    return id;
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
      const { permission, teamId } = body;
      if (body.email !== undefined && teamId !== undefined) refuse("teamId", "must not be given beside `email`");
      const sharer = requireCaller(await findUser(db, actor.userId));
      const found = async (existing: ShareRow) => {
        if (await changePermission(db, existing, permission)) {
          await recordActivity(call, "share.changed", { subject: subjectOf({ ...existing, permission }) });
        }
        return { status: 200, data: await shown(db, existing.id, now) } as const;
      };
      if (teamId !== undefined) {
        demandVerified(sharer, services);
        const share = await shareWithTeam(call, sharer.id, teamId);
        return typeof share === "string" ? { data: await shown(db, share, now) } : found(share);
      }
      const email = readEmail(body.email ?? refuse("email", "is required, or `teamId`", "required"));
      if (email === sharer.email) refuse("email", "must not be your own address");
      demandVerified(sharer, services);
      const existing = await findShareWith(db, estimation.id, email);
      if (existing) return found(existing);
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
      await mailInvitation(db, services, {
        invited: { to: "share", id: shareId },
        about: estimation.id,
        sender: sharer,
        email,
        now,
      });
      const subject = subjectOf({ id: shareId, email, teamId: null, permission });
      await recordActivity(call, "share.invited", { subject });
      await tellInvited(db, services, estimation, { shareId, sharer, address: body.email ?? "", now });
      return { data: await shown(db, shareId, now) };
    },

    async resendShare({ estimation, actor, params, db, now }) {
      const share = await findShare(db, params.shareId);
      if (share?.estimationId !== estimation.id) fail("not_found");
      const sharer = requireCaller(await findUser(db, actor.userId));
      demandVerified(sharer, services);
      const { id, email } = share;
      if (share.acceptedAt !== null || email === null) fail("invitation_accepted");
      await updateShare(db, id, { sharerId: sharer.id, sentAt: now, undeliveredAt: null });
      await mailInvitation(db, services, {
        invited: { to: "share", id },
        isCounted: share.undeliveredAt === null,
        about: share.estimationId,
        sender: sharer,
        email,
        now,
      });
      return { data: await shown(db, share.id, now) };
    },

    async deleteShare(call) {
      const { actor, params, db, now } = call;
      const estimation = await lockFor(db, params.shareId, actor.userId);
      const data = await shown(db, params.shareId, now);
      const { id, userId, email, team, permission } = data.share;
      await removeShare(db, estimation.id, id);
      if (team !== null) await setTeamLevel(db, estimation, team.id, null);
      else if (userId !== null) await setReader(db, { estimationId: estimation.id, userId }, { shared: null });
      const subject = subjectOf({ id, email, teamId: team?.id ?? null, permission });
      await recordActivity({ ...call, estimation }, "share.removed", { subject });
      if (team !== null && estimation.ownerId !== actor.userId)
        await recordIdentityEvent(db, services, { ...call, userId: actor.userId, event: "team.share_ended" });
      return { data };
    },

    async listMyShares({ actor, query, db, now }) {
      const user = requireCaller(await findUser(db, actor.userId));
      demandVerified(user, services);
      const page = await listPage(ofAddress, query, (limit, afterId) =>
        listSharesWith(db, { email: user.email, since: earliestSentAt(now), status: query.status }, limit, afterId),
      );
      return { data: { shares: page.rows.map((row) => presentShare(row, now)), nextCursor: page.nextCursor } };
    },

    async listTeamShares({ actor, params, query, db, now }) {
      if ((await roleIn(db, params.teamId, actor.userId)) === null) fail("not_found");
      const find = (limit: number, afterId: string | null) => listSharesOfTeam(db, params.teamId, limit, afterId);
      const page = await listPage(ofTeam, query, find, limits.pageSizeInside);
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

const subjectOf = ({ id, email, teamId, permission }: Pick<ShareRow, "id" | "email" | "teamId" | "permission">) => ({
  shareId: id,
  ...(email === null ? {} : { email }),
  ...(teamId === null ? {} : { teamId }),
  permission,
});

function refuse(field: "email" | "teamId", message: string, code: "required" | "not_allowed" = "not_allowed"): never {
  return failWith([{ path: `/${field}`, in: "body", code, message }]);
}
