import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import type { teams } from "../../../contract/endpoints/teams.ts";
import { limits } from "../../../contract/limits.ts";
import { earliestSentAt, invitationStatus } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import { demandVerified, findUser, readEmail, requireCaller } from "../auth/index.ts";
import type { TeamHooks } from "./hooks.ts";
import {
  countInvitations,
  findInvitation,
  findInvitationOf,
  insertInvitation,
  listInvitations,
  listInvitationsOf,
  removeInvitation,
  renewInvitation,
} from "./invitation-store.ts";
import { lockAsAdmin } from "./lock.ts";
import { presentInvitation, presentTeam } from "./present.ts";
import {
  countMembers,
  countTeams,
  findTeam,
  hasMemberWith,
  insertMember,
  isStandingAdmin,
  lockJoining,
  lockTeam,
  roleIn,
} from "./store.ts";

type Routes = Pick<
  Handlers<typeof teams>,
  | "listMyTeamInvitations"
  | "listTeamInvitations"
  | "inviteToTeam"
  | "withdrawTeamInvitation"
  | "acceptTeamInvitation"
  | "declineTeamInvitation"
>;

const ofTeam = byId("teams.invitations");
const ofAddress = byId("teams.invitations.mine");

/** Invitations to teams. They belong to an address, and its verified owner accepts by hand: nobody is put into a team. */
export function invitationRoutes(services: Services, hooks: TeamHooks): Routes {
  const { ids, quotas } = services;

  const shown = async (db: Queryable, id: string, now: Date) => ({
    invitation: presentInvitation((await findInvitation(db, id)) ?? fail("not_found"), now),
  });

  const note = (
    db: Queryable,
    { ip, userAgent, now }: Origin & { readonly now: Date },
    userId: string,
    event: IdentityEvent,
  ) => recordIdentityEvent(db, services, { ip, userAgent, now, userId, event });

  return {
    async listMyTeamInvitations({ actor, query, db, now }) {
      const user = requireCaller(await findUser(db, actor.userId));
      demandVerified(user, services);
      const page = await listPage(ofAddress, query, (limit, afterId) =>
        listInvitationsOf(db, { email: user.email, since: earliestSentAt(now) }, limit, afterId),
      );
      return {
        data: { invitations: page.rows.map((row) => presentInvitation(row, now)), nextCursor: page.nextCursor },
      };
    },

    async listTeamInvitations({ actor, params, query, db, now }) {
      const role = (await roleIn(db, params.teamId, actor.userId)) ?? fail("not_found");
      if (role !== "admin") fail("forbidden");
      const find = (limit: number, afterId: string | null) => listInvitations(db, params.teamId, limit, afterId);
      const page = await listPage(ofTeam, query, find, limits.pageSizeInside);
      return {
        data: { invitations: page.rows.map((row) => presentInvitation(row, now)), nextCursor: page.nextCursor },
      };
    },

    async inviteToTeam(call) {
      const { actor, params, body, db, now } = call;
      const { teamId } = params;
      const email = readEmail(body.email);
      await lockAsAdmin(db, teamId, actor.userId);
      const sender = requireCaller(await findUser(db, actor.userId));
      demandVerified(sender, services);
      if (await hasMemberWith(db, teamId, email)) fail("already_member");
      const existing = await findInvitationOf(db, teamId, email);
      const id = existing?.id ?? ids.next("invitation");
      const facts = { role: body.role, inviterId: sender.id, sentAt: now };
      if (existing) await renewInvitation(db, id, facts);
      else {
        const used = async () => 1 + (await countMembers(db, teamId)) + (await countInvitations(db, teamId));
        await quotas.reserve(db, { quota: "teamMembers", used });
        await insertInvitation(db, { id, teamId, email, ...facts, createdAt: now });
      }
      await hooks.mail(db, { invited: { to: "team", id }, about: teamId, sender, email, now });
      await note(db, call, sender.id, "team.invited");
      const data = await shown(db, id, now);
      return existing ? { status: 200, data } : { data };
    },

    async withdrawTeamInvitation(call) {
      const { actor, params, db, now } = call;
      await lockAsAdmin(db, params.teamId, actor.userId);
      const data = await shown(db, params.invitationId, now);
      if (data.invitation.teamId !== params.teamId) fail("not_found");
      await removeInvitation(db, params.invitationId);
      await note(db, call, actor.userId, "team.invitation_withdrawn");
      return { data };
    },

    async acceptTeamInvitation(call) {
      const { actor, params, db, now } = call;
      const { teamId } = params;
      const user = requireCaller(await findUser(db, actor.userId));
      await lockJoining(db, user.id);
      if (!(await lockTeam(db, teamId))) fail("not_found");
      if ((await roleIn(db, teamId, user.id)) === null) {
        const invitation = (await findInvitationOf(db, teamId, user.email)) ?? fail("not_found");
        // A request that was under way may have sent it after its sender was removed or disabled.
        if (!(await isStandingAdmin(db, teamId, invitation.inviterId))) fail("not_found");
        demandVerified(user, services);
        if (invitationStatus(invitation.sentAt, now) === "expired") fail("invitation_expired");
        await quotas.reserve(db, { quota: "teams", used: async () => 1 + (await countTeams(db, user.id)) });
        await hooks.whenJoining(db, user, call);
        await removeInvitation(db, invitation.id);
        // The invitation had a place among the members.
        const used = async () => 1 + (await countMembers(db, teamId)) + (await countInvitations(db, teamId));
        await quotas.reserve(db, { quota: "teamMembers", used });
        await insertMember(db, { teamId, userId: user.id, role: invitation.role, joinedAt: now });
        await note(db, call, user.id, "team.joined");
      }
      return { data: { team: presentTeam((await findTeam(db, teamId, user.id)) ?? fail("not_found")) } };
    },

    async declineTeamInvitation(call) {
      const { actor, params, db, now } = call;
      const user = requireCaller(await findUser(db, actor.userId));
      const { teamId } = params;
      if (!(await lockTeam(db, teamId))) fail("not_found");
      const invitation = (await findInvitationOf(db, teamId, user.email)) ?? fail("not_found");
      demandVerified(user, services);
      await removeInvitation(db, invitation.id);
      await note(db, call, user.id, "team.invitation_declined");
      return { data: { invitation: presentInvitation(invitation, now) } };
    },
  };
}
