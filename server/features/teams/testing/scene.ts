import { expect } from "vitest";
import type { TeamRole } from "../../../../contract/values/team-roles.ts";
import type { Json, TestApp, TestUser } from "../../../../tests/harness.ts";

/** What tests of teams do. */
export function createScene(app: TestApp) {
  const as =
    ({ token }: Pick<TestUser, "token">) =>
    (method: string, path: string, body?: object) =>
      app.request(method, path, { token, ...(body === undefined ? {} : { body }) });

  const newTeam = async (admin: TestUser, name = "Web"): Promise<string> => {
    const { status, data } = await as(admin)("POST", "/api/teams", { name });
    expect(status).toBe(201);
    return String(data.team?.id);
  };

  const invite = (admin: TestUser, team: string, email: string, role: TeamRole = "member") =>
    as(admin)("POST", `/api/teams/${team}/invitations`, { email, role });

  const accept = (user: TestUser, team: string) => as(user)("POST", `/api/teams/${team}/accept`);

  return {
    as,
    newTeam,
    invite,
    accept,

    async join(admin: TestUser, team: string, user: TestUser, role: TeamRole = "member"): Promise<void> {
      expect((await invite(admin, team, user.email, role)).status).toBe(201);
      expect((await accept(user, team)).status).toBe(200);
    },

    leave: (user: TestUser, team: string) => as(user)("DELETE", `/api/teams/${team}/members/${user.userId}`),

    async rolesIn(reader: TestUser, team: string): Promise<Record<string, string>> {
      const { data } = await as(reader)("GET", `/api/teams/${team}/members`);
      const members = (data.members ?? []) as unknown as Json[];
      return Object.fromEntries(members.map(({ userId, role }) => [String(userId), String(role)]));
    },

    /** The names of the last events of a user's audit log, newest first. */
    async auditOf(user: TestUser, count: number): Promise<string[]> {
      const { data } = await as(user)("GET", `/api/audit-log?limit=${count}`);
      return (data.events as unknown as { event: string }[]).map(({ event }) => event);
    },

    verify: ({ userId }: TestUser) =>
      app.pool.query("update users set email_verified_at = now() where id = $1", [userId]),
  };
}
