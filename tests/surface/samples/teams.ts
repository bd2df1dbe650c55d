import type { teams } from "../../../contract/endpoints/teams.ts";
import type { TestApp, TestUser } from "../../harness.ts";
import type { Making, Samples } from "./noun.ts";

export interface TeamRecords {
  /** A team whose admin the user is. */
  readonly team: string;
  /** Another member of it. */
  readonly teamMember: string;
  /** A pending invitation to it. */
  readonly teamInvitation: string;
  /** A team of somebody else, to which the user is invited. */
  readonly invitingTeam: string;
}

/** Has a user join a team. */
export async function join(app: TestApp, admin: TestUser, team: string, user: TestUser, role = "member") {
  const body = { email: user.email, role };
  const invited = await app.request("POST", `/api/teams/${team}/invitations`, { token: admin.token, body });
  const { status } = await app.request("POST", `/api/teams/${team}/accept`, { token: user.token });
  if (status !== 200) throw new Error(`joining returned ${status}, inviting ${invited.status}: ${invited.text}`);
}

/** Makes teams of the user and of a colleague, who have invited each other; one invitation is accepted. */
export async function makeTeams({ app, user, call }: Making): Promise<TeamRecords> {
  const colleague = await app.signUp();
  const team = String((await call("POST", "/api/teams", { name: "Web" })).team?.id);
  await join(app, user, team, colleague);
  const invite = async () => {
    const body = { email: `${crypto.randomUUID()}@example.com`, role: "member" };
    return (await call("POST", `/api/teams/${team}/invitations`, body)).invitation;
  };
  await invite();
  const invitation = await invite();
  const { token } = colleague;
  const { data } = await app.request("POST", "/api/teams", { token, body: { name: "Mobile" } });
  const invitingTeam = String(data.team?.id);
  const mine = { email: user.email, role: "member" };
  await app.request("POST", `/api/teams/${invitingTeam}/invitations`, { token, body: mine });
  return { team, teamMember: colleague.userId, teamInvitation: String(invitation?.id), invitingTeam };
}

export const teamSamples: Samples<typeof teams> = {
  listTeams: () => ({}),
  createTeam: () => ({ body: { name: "Data" } }),
  listMyTeamInvitations: () => ({}),
  getTeam: ({ team }) => ({ params: { teamId: team } }),
  updateTeam: ({ team }) => ({ params: { teamId: team }, body: { name: "Web and shop" } }),
  deleteTeam: ({ team }) => ({ params: { teamId: team } }),
  listTeamMembers: ({ team }) => ({ params: { teamId: team } }),
  updateTeamMember: ({ team, teamMember }) => ({
    params: { teamId: team, userId: teamMember },
    body: { role: "admin" },
  }),
  removeTeamMember: ({ team, teamMember }) => ({ params: { teamId: team, userId: teamMember } }),
  listTeamInvitations: ({ team }) => ({ params: { teamId: team } }),
  inviteToTeam: ({ team }) => ({
    params: { teamId: team },
    body: { email: "new-colleague@example.com", role: "member" },
  }),
  withdrawTeamInvitation: ({ team, teamInvitation }) => ({
    params: { teamId: team, invitationId: teamInvitation },
  }),
  acceptTeamInvitation: ({ invitingTeam }) => ({ params: { teamId: invitingTeam } }),
  declineTeamInvitation: ({ invitingTeam }) => ({ params: { teamId: invitingTeam } }),
};
