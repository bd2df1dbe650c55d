import { limits } from "../../../contract/limits.ts";
import type { TestApp, TestUser } from "../../harness.ts";
import { join } from "../samples/teams.ts";
import type { Provocation, Provoking, Refusal } from "./provoking.ts";

export const teamErrors = ({ app, owner, asOwner, mailing }: Provoking) => {
  const newTeam = async (by: TestUser = owner, at: TestApp = app) => {
    const { data } = await at.request("POST", "/api/teams", { token: by.token, body: { name: "x" } });
    return `/api/teams/${data.team?.id}`;
  };

  /** A user who is a member of a team without being its admin, and the path of the team. */
  async function member() {
    const [user, team] = [await app.signUp(), await newTeam()];
    await join(app, owner, team.slice("/api/teams/".length), user);
    return { team, userId: user.userId, send: sender(user) };
  }

  const sender =
    ({ token }: TestUser, at: TestApp = app) =>
    (method: string, path: string, body?: object): Promise<Refusal> =>
      at.request(method, path, { token, ...(body === undefined ? {} : { body }) });

  /** The response to a member, below the team, who is no admin. */
  const asMember = (method: string, below: string, body?: object) => async () => {
    const { team, send } = await member();
    return send(method, `${team}${below}`, body);
  };

  /** The response to a user with an unverified address. */
  const unverified = (method: string, path: string, body?: object) => async () => {
    const instance = await mailing();
    return sender(await instance.signUp(), instance)(method, path, body);
  };

  /** The response to a user with an unverified address who is invited, below the team. */
  const unverifiedInvited = (below: string) => async () => {
    const instance = await mailing();
    const [admin, user] = [await instance.signUp(), await instance.signUp()];
    await instance.pool.query("update users set email_verified_at = now() where id = $1", [admin.userId]);
    const team = await newTeam(admin, instance);
    const body = { email: user.email, role: "member" };
    await instance.request("POST", `${team}/invitations`, { token: admin.token, body });
    return sender(user, instance)("POST", `${team}${below}`);
  };

  const lastAdmin = async () => asOwner("DELETE", `${await newTeam()}/members/${owner.userId}`);

  const alreadyMember = async () =>
    asOwner("POST", `${await newTeam()}/invitations`, { body: { email: owner.email, role: "admin" } });

  /** A user who is a member of as many teams as possible. */
  async function memberOfAll() {
    const user = await app.signUp();
    await app.pool.query(
      `with made as (
         insert into teams (id, name, created_at)
         select 'team_' || left(md5($1 || n), 26), 'x', now() from generate_series(1, $2::int) n returning id)
       insert into team_members (team_id, user_id, role, joined_at) select id, $1, 'admin', now() from made`,
      [user.userId, limits.teams],
    );
    return user;
  }

  return {
    last_admin: lastAdmin,
    already_member: alreadyMember,
    "inviteToTeam already_member": alreadyMember,
    "createTeam forbidden": unverified("POST", "/api/teams", { name: "x" }),
    "createTeam limit_reached": async () => sender(await memberOfAll())("POST", "/api/teams", { name: "x" }),
    "listMyTeamInvitations forbidden": unverified("GET", "/api/teams/invitations"),
    "updateTeam forbidden": asMember("PATCH", "", { name: "y" }),
    "deleteTeam forbidden": asMember("DELETE", ""),
    "updateTeamMember forbidden": async () => {
      const { team, userId, send } = await member();
      return send("PATCH", `${team}/members/${userId}`, { role: "admin" });
    },
    "updateTeamMember last_admin": async () =>
      asOwner("PATCH", `${await newTeam()}/members/${owner.userId}`, { body: { role: "member" } }),
    "removeTeamMember forbidden": asMember("DELETE", `/members/${owner.userId}`),
    "removeTeamMember last_admin": lastAdmin,
    "listTeamInvitations forbidden": asMember("GET", "/invitations"),
    "inviteToTeam forbidden": asMember("POST", "/invitations", { email: "y@example.com", role: "member" }),
    "inviteToTeam limit_reached": async () => {
      const team = await newTeam();
      await app.pool.query(
        `insert into team_invitations (id, team_id, email, role, inviter_id, created_at, sent_at)
         select 'inv_' || left(md5($1 || n), 26), $1, n || '@example.org', 'member', $2, now(), now()
         from generate_series(2, $3::int) n`,
        [team.slice("/api/teams/".length), owner.userId, limits.teamMembers],
      );
      return asOwner("POST", `${team}/invitations`, { body: { email: "one-more@example.org", role: "member" } });
    },
    "withdrawTeamInvitation forbidden": asMember("DELETE", `/invitations/inv_${"0".repeat(26)}`),
    "acceptTeamInvitation forbidden": unverifiedInvited("/accept"),
    "acceptTeamInvitation invitation_expired": async () => {
      const [user, team] = [await app.signUp(), await newTeam()];
      await asOwner("POST", `${team}/invitations`, { body: { email: user.email, role: "member" } });
      await app.pool.query("update team_invitations set sent_at = sent_at - interval '31 days' where email = $1", [
        user.email,
      ]);
      return sender(user)("POST", `${team}/accept`);
    },
    "acceptTeamInvitation limit_reached": async () => {
      const [user, team] = [await memberOfAll(), await newTeam()];
      await asOwner("POST", `${team}/invitations`, { body: { email: user.email, role: "member" } });
      return sender(user)("POST", `${team}/accept`);
    },
    "declineTeamInvitation forbidden": unverifiedInvited("/decline"),
  } satisfies Record<string, Provocation>;
};
