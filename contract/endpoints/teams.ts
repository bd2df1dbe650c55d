import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  Change,
  component,
  Email,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  paging,
  Shape,
  Timestamp,
  Title,
} from "../shapes.ts";
import { teamRoles } from "../values/team-roles.ts";

const role = OneOf(teamRoles, {
  description: "`admin` manages members, invitations, shares and the team itself; `member` uses what is shared with it",
});
const name = Title(limits.titleLength);

export const Team = component(
  "Team",
  Shape({
    id: Id("team"),
    name,
    role: OneOf(teamRoles, { description: "Your role" }),
    memberCount: Type.Integer({ minimum: 1 }),
    createdAt: Timestamp,
  }),
);
export type Team = Static<typeof Team.schema>;

export const TeamMember = component(
  "TeamMember",
  Shape({
    userId: Id("user"),
    name: Type.String(),
    email: Type.String(),
    avatarUrl: Nullable(Type.String({ description: "An https URL of a picture" })),
    role,
    joinedAt: Timestamp,
  }),
);
export type TeamMember = Static<typeof TeamMember.schema>;

export const TeamInvitation = component(
  "TeamInvitation",
  Shape({
    id: Id("invitation"),
    teamId: Id("team"),
    teamName: Type.String(),
    email: Type.String({ description: "The invited address" }),
    role,
    status: OneOf(["pending", "expired"], {
      description: "`expired`: it was not accepted in time; inviting the address again makes it `pending`",
    }),
    inviterName: Type.String({ description: "Name of the user who last sent the invitation" }),
    createdAt: Timestamp,
    sentAt: Type.String({ ...Timestamp, description: "When the invitation was last sent" }),
    expiresAt: Type.String({ ...Timestamp, description: "When the invitation ends" }),
  }),
);
export type TeamInvitation = Static<typeof TeamInvitation.schema>;

const one = Shape({ team: Team.ref });
const oneMember = Shape({ member: TeamMember.ref });
const oneInvitation = Shape({ invitation: TeamInvitation.ref });
const manyInvitations = Shape({ invitations: Type.Array(TeamInvitation.ref), nextCursor: NextCursor });
const ofMember = { userId: "Id of the member, a user" };
const access = "session";

export const teams = endpoints({
  listTeams: {
    method: "GET",
    path: "/api/teams",
    summary: "List the teams that you are a member of, newest first",
    access,
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ teams: Type.Array(Team.ref), nextCursor: NextCursor }) },
  },
  createTeam: {
    method: "POST",
    path: "/api/teams",
    summary: "Create a team, whose first admin you are",
    description: `Needs a verified address. A person may be a member of ${limits.teams} teams.`,
    access,
    body: Shape({ name }),
    response: { status: 201, created: "/api/teams/:teamId", data: one },
    errors: ["forbidden", "limit_reached"],
  },
  listMyTeamInvitations: {
    method: "GET",
    path: "/api/teams/invitations",
    summary: "List the invitations to teams that your address has, newest first",
    description: "Only for users with a verified address. Invitations that have expired are left out.",
    access,
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: manyInvitations },
    errors: ["forbidden"],
  },
  getTeam: {
    method: "GET",
    path: "/api/teams/:teamId",
    summary: "Read a team that you are a member of",
    access,
    response: { status: 200, data: one },
  },
  updateTeam: {
    method: "PATCH",
    path: "/api/teams/:teamId",
    summary: "Rename a team",
    description: "Only for its admins.",
    access,
    body: Change({ name }, { matching: ["id"], derived: ["role", "memberCount", "createdAt"] }),
    response: { status: 200, data: one },
    errors: ["forbidden"],
  },
  deleteTeam: {
    method: "DELETE",
    path: "/api/teams/:teamId",
    summary: "Delete a team",
    description:
      "Only for its admins. What was shared with it is no longer shared with its members, from the next request on; no estimation is deleted. Its templates become private.",
    access,
    response: { status: 200, data: one },
    errors: ["forbidden"],
  },
  listTeamMembers: {
    method: "GET",
    path: "/api/teams/:teamId/members",
    summary: "List the members of a team, in the order in which they joined",
    access,
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ members: Type.Array(TeamMember.ref), nextCursor: NextCursor }) },
  },
  updateTeamMember: {
    method: "PATCH",
    path: "/api/teams/:teamId/members/:userId",
    summary: "Give a member of a team another role",
    description: "Only for its admins, of whom at least one stays whose account is not disabled.",
    access,
    params: ofMember,
    body: Change({ role }, { matching: ["userId"], derived: ["name", "email", "avatarUrl", "joinedAt"] }),
    response: { status: 200, data: oneMember },
    errors: ["forbidden", "last_admin"],
  },
  removeTeamMember: {
    method: "DELETE",
    path: "/api/teams/:teamId/members/:userId",
    summary: "Remove a member from a team, or leave it",
    description:
      "Admins remove anybody, members themselves; at least one admin stays. Access by the team ends with the next request. What the member has shared with the team stays shared.",
    access,
    params: ofMember,
    response: { status: 200, data: oneMember },
    errors: ["forbidden", "last_admin"],
  },
  listTeamInvitations: {
    method: "GET",
    path: "/api/teams/:teamId/invitations",
    summary: "List the invitations to a team that were not accepted yet, newest first",
    description: "Only for its admins.",
    access,
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: manyInvitations },
    errors: ["forbidden"],
  },
  inviteToTeam: {
    method: "POST",
    path: "/api/teams/:teamId/invitations",
    summary: "Invite the owner of an e-mail address to a team, who is mailed a link",
    description: `Only for admins with a verified address. The invitation is valid for ${limits.invitationDays} days, and its verified owner accepts it by hand. If the address was invited before, the existing invitation is mailed again, with the given role. Mails count as those of shares do (429): per user and hour, at most ${limits.invitationMailsPerDay} a day for one invitation, and what an address gets too much of joins one mail a day later. A team has at most ${limits.teamMembers} members, invitations included.`,
    access,
    body: Shape({ email: Email, role }),
    response: {
      status: 201,
      created: "/api/teams/:teamId/invitations/:invitationId",
      data: oneInvitation,
      found: { status: 200, when: "The address was already invited", data: oneInvitation },
    },
    errors: ["forbidden", "already_member", "limit_reached"],
  },
  withdrawTeamInvitation: {
    method: "DELETE",
    path: "/api/teams/:teamId/invitations/:invitationId",
    summary: "Withdraw an invitation to a team",
    description: "Only for its admins.",
    access,
    response: { status: 200, data: oneInvitation },
    errors: ["forbidden"],
  },
  acceptTeamInvitation: {
    method: "POST",
    path: "/api/teams/:teamId/accept",
    summary: "Accept an invitation to a team",
    description:
      "Needs an invitation of your verified address; for a team that you are a member of already, it does nothing.",
    access,
    response: { status: 200, data: one },
    errors: ["forbidden", "invitation_expired", "limit_reached"],
  },
  declineTeamInvitation: {
    method: "POST",
    path: "/api/teams/:teamId/decline",
    summary: "Decline an invitation to a team",
    access,
    response: { status: 200, data: oneInvitation },
    errors: ["forbidden"],
  },
});
