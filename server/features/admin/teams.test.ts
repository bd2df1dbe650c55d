import { expect, test } from "vitest";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { createScene as createTeamScene } from "../teams/testing/scene.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { invitationsPerHour: 1_000, rateLimitAuthPerMinute: 1_000 } });
const { act, eventsOf, logIn, makeAdministrator, signUpVerified } = createScene(app);
const { as, newTeam, invite, accept, join, leave, rolesIn } = createTeamScene(app);
const administrator = await makeAdministrator();
const memberPath = (team: string, { userId }: TestUser) => `/api/teams/${team}/members/${userId}`;
const signInAgain = async (user: TestUser) => ({ ...user, token: String((await logIn(user)).data.token) });

/** A team with these members, who joined in this order, the first as its admin. */
async function teamOf(admin: TestUser, ...members: readonly TestUser[]): Promise<string> {
  const team = await newTeam(admin);
  for (const member of members) {
    await app.clock.advance(1_000);
    await join(admin, team, member);
  }
  return team;
}

test("when the last admin who can sign in is disabled, the longest-standing enabled member becomes one", async () => {
  const [ada, bob, eve, joe] = [
    await signUpVerified(),
    await signUpVerified(),
    await signUpVerified(),
    await signUpVerified(),
  ];
  const team = await teamOf(ada, bob, eve, joe);
  await act(administrator, bob, "disable");
  expect(await rolesIn(joe, team)).toMatchObject({ [bob.userId]: "member", [eve.userId]: "member" });
  await invite(ada, team, "second@example.com", "admin");
  await act(administrator, ada, "disable");
  const roles = { [ada.userId]: "admin", [bob.userId]: "member", [eve.userId]: "admin", [joe.userId]: "member" };
  expect(await rolesIn(joe, team)).toEqual(roles);
  expect((await eventsOf(administrator, eve))[0]).toMatchObject({
    ...{ event: "team.role_changed", actor: { id: administrator.userId }, otherUser: { id: ada.userId } },
  });
  const own = (await as(eve)("GET", "/api/audit-log?limit=1")).data.events?.[0];
  expect(own).toMatchObject({ event: "team.role_changed", actor: { id: administrator.userId }, ip: null });
  expect((await as(eve)("GET", `/api/teams/${team}/invitations`)).data.invitations).toEqual([]);
  // Enabled again, the former admin is one as well, and the other stays one.
  await act(administrator, ada, "enable");
  expect(await rolesIn(joe, team)).toEqual(roles);
});

test("a disabled admin does not count as one", async () => {
  const [ada, bob, eve] = [await signUpVerified(), await signUpVerified(), await signUpVerified()];
  const team = await teamOf(ada, bob, eve);
  await as(ada)("PATCH", memberPath(team, bob), { role: "admin" });
  await act(administrator, bob, "disable");
  expect((await leave(ada, team)).body.message).toBe("last_admin");
  expect((await as(ada)("PATCH", memberPath(team, ada), { role: "member" })).body.message).toBe("last_admin");
  // The disabled one can be taken the role.
  expect((await as(ada)("PATCH", memberPath(team, bob), { role: "member" })).status).toBe(200);
  await act(administrator, bob, "enable");
  await as(ada)("PATCH", memberPath(team, bob), { role: "admin" });
  expect((await leave(ada, team)).status).toBe(200);
});

test("a team in which nobody is enabled stays as it is, until somebody is", async () => {
  const [ada, bob] = [await signUpVerified(), await signUpVerified()];
  const team = await teamOf(ada, bob);
  await act(administrator, bob, "disable");
  await act(administrator, ada, "disable");
  const { rows } = await app.pool.query("select user_id as id, role from team_members where team_id = $1", [team]);
  expect(Object.fromEntries(rows.map(({ id, role }) => [id, role]))).toEqual({
    [ada.userId]: "admin",
    [bob.userId]: "member",
  });
  await act(administrator, bob, "enable");
  expect(await rolesIn(await signInAgain(bob), team)).toEqual({ [ada.userId]: "admin", [bob.userId]: "admin" });
});

test("an invitation of a disabled admin lets nobody in, not even one that was sent meanwhile and after enabling", async () => {
  const [ada, mallory, second] = [await signUpVerified(), await signUpVerified(), await signUpVerified()];
  const team = await newTeam(ada);
  await join(ada, team, mallory, "admin");
  await invite(mallory, team, second.email);
  await act(administrator, mallory, "disable");
  expect((await accept(second, team)).status).toBe(404);
  await app.pool.query(
    `insert into team_invitations (id, team_id, email, role, inviter_id, created_at, sent_at)
     values ('inv_' || repeat('0', 26), $1, $2, 'admin', $3, now(), now())`,
    [team, second.email, mallory.userId],
  );
  expect((await accept(second, team)).status).toBe(404);
  await act(administrator, mallory, "enable");
  expect((await accept(second, team)).status).toBe(404);
});

test("who leaves while the other admin is being disabled leaves an admin behind", async () => {
  const [ada, bob, eve] = [await signUpVerified(), await signUpVerified(), await signUpVerified()];
  const team = await teamOf(ada, bob, eve);
  await as(ada)("PATCH", memberPath(team, bob), { role: "admin" });
  const client = await app.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from users where id = $1 for no key update", [bob.userId]);
    const disabling = act(administrator, bob, "disable");
    await until(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await app.pool.query(waiting)).rowCount === 1;
    });
    const leaving = leave(ada, team);
    await until(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await app.pool.query(waiting)).rowCount === 2;
    });
    await client.query("commit");
    expect((await disabling).status).toBe(200);
    expect((await leaving).body.message).toBe("last_admin");
  } finally {
    client.release();
  }
});
