import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import type { teams } from "../../../contract/endpoints/teams.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, byInstant, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import { demandVerified, findUser, requireCaller } from "../auth/index.ts";
import type { TeamHooks } from "./hooks.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { removeInvitationsBy } from "./invitation-store.ts";
import { endWholeTeam } from "./leave.ts";
import { lockAsAdmin, lockAsMember } from "./lock.ts";
import { presentMember, presentTeam } from "./present.ts";
import {
  countTeams,
  findMember,
  findTeam,
  hasStandingAdmin,
  insertMember,
  insertTeam,
  listMembers,
  listTeams,
  lockJoining,
  type MemberRow,
  removeMember,
  renameTeam,
  roleIn,
  setRole,
} from "./store.ts";

const newestFirst = byId("teams");
const inOrderOfJoining = byInstant<MemberRow & { readonly id: string }>("teams.members", ({ joinedAt }) => joinedAt);

/** What happened in a call, for the audit log. */
type Moment = Origin & { readonly now: Date };

/** The same moment for the log of another user than the caller, who need not know where the caller is. */
const fromElsewhere = ({ now }: Moment): Moment => ({ ip: null, userAgent: null, now });

/** Teams, their members and the invitations to them. What a user may not see gets the response of what does not exist. */
export function teamRoutes(services: Services, hooks: TeamHooks): Handlers<typeof teams> {
  const { ids, quotas } = services;

  const shown = async (db: Queryable, teamId: string, userId: string) => ({
    team: presentTeam((await findTeam(db, teamId, userId)) ?? fail("not_found")),
  });

  const note = (
    db: Queryable,
    { ip, userAgent, now }: Moment,
    userId: string,
    event: IdentityEvent,
    others: { readonly actorId?: string; readonly otherUserId?: string } = {},
  ) => recordIdentityEvent(db, services, { ip, userAgent, now, userId, event, ...others });

  /** Records what the caller did to a member, for both. */
  const noteBoth = async (
    call: Moment & { readonly db: Queryable; readonly actor: { readonly userId: string } },
    userId: string,
    { did, happened }: { readonly did: IdentityEvent; readonly happened: IdentityEvent },
  ) => {
    const { db, actor } = call;
    await note(db, call, actor.userId, did, { otherUserId: userId });
    await note(db, fromElsewhere(call), userId, happened, { actorId: actor.userId });
  };

  /** Refuses (409) to take the last admin of a locked team away who can sign in. */
  const demandAnotherAdmin = async (tx: Queryable, teamId: string, { role, userId }: MemberRow) => {
    if (role === "admin" && !(await hasStandingAdmin(tx, teamId, userId))) fail("last_admin");
  };

  return {
    async listTeams({ actor, query, db }) {
      const page = await listPage(newestFirst, query, (limit, afterId) => listTeams(db, actor.userId, limit, afterId));
      return { data: { teams: page.rows.map(presentTeam), nextCursor: page.nextCursor } };
    },

    async createTeam(call) {
      const { actor, body, db, now } = call;
      const user = requireCaller(await findUser(db, actor.userId));
      demandVerified(user, services);
      await lockJoining(db, user.id);
      await quotas.reserve(db, { quota: "teams", used: async () => 1 + (await countTeams(db, user.id)) });
      await hooks.whenJoining(db, user, call);
      const teamId = ids.next("team");
      await insertTeam(db, { id: teamId, name: body.name, createdAt: now });
      await quotas.reserve(db, { quota: "teamMembers", used: () => 1 });
      await insertMember(db, { teamId, userId: user.id, role: "admin", joinedAt: now });
      await note(db, call, user.id, "team.created");
      return { data: await shown(db, teamId, user.id) };
    },

    async getTeam({ actor, params, db }) {
      return { data: await shown(db, params.teamId, actor.userId) };
    },

    async updateTeam(call) {
      const { actor, params, body, db } = call;
      await lockAsAdmin(db, params.teamId, actor.userId);
      if (body.name !== undefined) {
        await renameTeam(db, params.teamId, body.name);
        await note(db, call, actor.userId, "team.renamed");
      }
      return { data: await shown(db, params.teamId, actor.userId) };
    },

    async deleteTeam(call) {
      const { actor, params, db, now } = call;
      await lockAsAdmin(db, params.teamId, actor.userId);
      const data = await shown(db, params.teamId, actor.userId);
      await endWholeTeam(db, params.teamId, hooks, now);
      await note(db, call, actor.userId, "team.deleted");
      return { data };
    },

    async listTeamMembers({ actor, params, query, db }) {
      if ((await roleIn(db, params.teamId, actor.userId)) === null) fail("not_found");
      const find = async (limit: number, after: { at: Date; id: string } | null) =>
        (await listMembers(db, params.teamId, limit, after)).map((row) => ({ ...row, id: row.userId }));
      const page = await listPage(inOrderOfJoining, query, find, limits.pageSizeInside);
      return { data: { members: page.rows.map(presentMember), nextCursor: page.nextCursor } };
    },

    async updateTeamMember(call) {
      const { actor, params, body, db } = call;
      const { teamId, userId } = params;
      await lockAsAdmin(db, teamId, actor.userId);
      const member = (await findMember(db, teamId, userId)) ?? fail("not_found");
      const { role = member.role } = body;
      if (role === member.role) return { data: { member: presentMember(member) } };
      await demandAnotherAdmin(db, teamId, member);
      await setRole(db, teamId, userId, role);
      if (role !== "admin") await removeInvitationsBy(db, teamId, userId);
      if (userId === actor.userId) await note(db, call, userId, "team.member_role_changed");
      else await noteBoth(call, userId, { did: "team.member_role_changed", happened: "team.role_changed" });
      return { data: { member: presentMember({ ...member, role }) } };
    },

    async removeTeamMember(call) {
      const { actor, params, db } = call;
      const { teamId, userId } = params;
      const role = await lockAsMember(db, teamId, actor.userId);
      if (role !== "admin" && userId !== actor.userId) fail("forbidden");
      const member = (await findMember(db, teamId, userId)) ?? fail("not_found");
      await demandAnotherAdmin(db, teamId, member);
      await removeMember(db, teamId, userId);
      await removeInvitationsBy(db, teamId, userId);
      if (userId === actor.userId) await note(db, call, userId, "team.left");
      else await noteBoth(call, userId, { did: "team.member_removed", happened: "team.removed" });
      return { data: { member: presentMember(member) } };
    },

    ...invitationRoutes(services, hooks),
  };
}
