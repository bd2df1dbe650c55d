import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { erasePerson } from "../../services/person-erasure.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { invitationsPerHour: 1_000 } });
const { as, newTeam, invite, accept, join, leave, rolesIn, auditOf } = createScene(app);
const signUp = () => app.signUp();
const erase = ({ email }: TestUser) =>
  erasePerson(app.services.pool, app.services, {
    email,
    to: undefined,
    isTrial: false,
    actorId: null,
    isAllowed: () => true,
  });
const pathOf = (team: string, user?: TestUser) => `/api/teams/${team}${user ? `/members/${user.userId}` : ""}`;

test("a team has its creator as admin, a name, a number of members, and is in the lists of its members only", async () => {
  const [ada, bob] = [await signUp(), await signUp()];
  const team = await newTeam(ada, "Web");
  const read = async (user: TestUser) => (await as(user)("GET", pathOf(team))).data.team;
  expect(await read(ada)).toMatchObject({ id: team, name: "Web", role: "admin", memberCount: 1 });
  expect((await as(bob)("GET", pathOf(team))).status).toBe(404);
  expect((await as(bob)("GET", "/api/teams")).data.teams).toEqual([]);
  await join(ada, team, bob);
  expect(await read(bob)).toMatchObject({ role: "member", memberCount: 2 });
  const second = await newTeam(bob, "Mobile");
  const { data } = await as(bob)("GET", "/api/teams?limit=1");
  expect((data.teams as unknown as { id: string }[]).map(({ id }) => id)).toEqual([second]);
  const next = await as(bob)("GET", `/api/teams?limit=1&cursor=${data.nextCursor}`);
  expect([next.data.teams?.[0]?.id, next.data.nextCursor]).toEqual([team, null]);
});

test("members see each other in the order in which they joined", async () => {
  const users = [await signUp(), await signUp(), await signUp()] as const;
  const team = await newTeam(users[0]);
  for (const user of [users[2], users[1]]) {
    await app.clock.advance(1_000);
    await join(users[0], team, user);
  }
  const seen: unknown[] = [];
  let cursor = "";
  do {
    const { data } = await as(users[1])("GET", `${pathOf(team)}/members?limit=2${cursor}`);
    seen.push(...(data.members as unknown as { email: string }[]).map(({ email }) => email));
    cursor = data.nextCursor ? `&cursor=${data.nextCursor}` : "";
  } while (cursor !== "");
  expect(seen).toEqual([users[0].email, users[2].email, users[1].email]);
});

test("admins rename, give roles and remove; members read and leave; the audit logs say so", async () => {
  const [ada, bob, eve] = [await signUp(), await signUp(), await signUp()];
  const team = await newTeam(ada);
  await join(ada, team, bob);
  await join(ada, team, eve);
  const refused: [string, string, object?][] = [
    ["PATCH", pathOf(team), { name: "Mine" }],
    ["DELETE", pathOf(team)],
    ["PATCH", pathOf(team, bob), { role: "admin" }],
    ["DELETE", pathOf(team, eve)],
    ["GET", `${pathOf(team)}/invitations`],
  ];
  await changesNothing(app, async () => {
    for (const [method, path, body] of refused) expect((await as(bob)(method, path, body)).status, path).toBe(403);
  });
  expect((await as(ada)("PATCH", pathOf(team), { name: "Shop" })).data.team?.name).toBe("Shop");
  expect((await as(ada)("PATCH", pathOf(team, bob), { role: "admin" })).data.member).toMatchObject({
    userId: bob.userId,
    role: "admin",
  });
  expect((await as(bob)("DELETE", pathOf(team, eve))).status).toBe(200);
  expect((await as(eve)("GET", pathOf(team))).status).toBe(404);
  expect((await leave(ada, team)).status).toBe(200);
  expect(await rolesIn(bob, team)).toEqual({ [bob.userId]: "admin" });
  expect(await auditOf(ada, 3)).toEqual(["team.left", "team.member_role_changed", "team.renamed"]);
  expect(await auditOf(bob, 3)).toEqual(["team.member_removed", "team.role_changed", "team.joined"]);
  expect(await auditOf(eve, 2)).toEqual(["team.removed", "team.joined"]);
  for (const [user, at] of [
    [eve, 0],
    [bob, 1],
  ] as const) {
    const { data } = await as(user)("GET", "/api/audit-log?limit=2");
    const actor = { id: user === eve ? bob.userId : ada.userId };
    expect(data.events?.[at]).toMatchObject({ ip: null, userAgent: null, actor });
  }
  const { rows } = await app.pool.query(
    `select event, user_id as who, actor_id as actor, other_user_id as other from audit_events
     where event ~ 'role_changed|removed' order by id`,
  );
  expect(rows).toEqual([
    { event: "team.member_role_changed", who: ada.userId, actor: null, other: bob.userId },
    { event: "team.role_changed", who: bob.userId, actor: ada.userId, other: null },
    { event: "team.member_removed", who: bob.userId, actor: null, other: eve.userId },
    { event: "team.removed", who: eve.userId, actor: bob.userId, other: null },
  ]);
});

test("at least one admin stays, also when two leave, or give up the role, at the same time", async () => {
  for (const end of [
    (user: TestUser, team: string) => leave(user, team),
    (user: TestUser, team: string) => as(user)("PATCH", pathOf(team, user), { role: "member" }),
  ]) {
    const [ada, bob, eve] = [await signUp(), await signUp(), await signUp()];
    const team = await newTeam(ada);
    await join(ada, team, bob, "admin");
    await join(ada, team, eve);
    const results = await Promise.all([end(ada, team), end(bob, team)]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(results.map(({ body }) => body.message)).toContain("last_admin");
    expect(Object.values(await rolesIn(eve, team)).filter((role) => role === "admin")).toHaveLength(1);
  }
});

test("a deleted team is gone for everybody at once, and its rows soon", async () => {
  const [ada, bob] = [await signUp(), await signUp()];
  const team = await newTeam(ada);
  await join(ada, team, bob);
  const { data } = await as(ada)("DELETE", pathOf(team));
  expect(data.team).toMatchObject({ id: team, memberCount: 2 });
  for (const user of [ada, bob]) {
    expect((await as(user)("GET", pathOf(team))).status).toBe(404);
    expect((await as(user)("GET", "/api/teams")).data.teams).toEqual([]);
  }
  expect((await as(ada)("DELETE", pathOf(team))).status).toBe(404);
  expect(await auditOf(ada, 1)).toEqual(["team.deleted"]);
});

test("a person is a member of at most 50 teams, also if two are made at the same time", async () => {
  const ada = await signUp();
  await app.pool.query(
    `with made as (
       insert into teams (id, name, created_at)
       select 'team_' || left(md5($1 || n), 26), 'x', now() from generate_series(2, $2::int) n returning id)
     insert into team_members (team_id, user_id, role, joined_at) select id, $1, 'admin', now() from made`,
    [ada.userId, limits.teams],
  );
  const both = await Promise.all([1, 2].map(() => as(ada)("POST", "/api/teams", { name: "One more" })));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.body.details).toEqual({ quota: "teams", limit: limits.teams });
  const bob = await signUp();
  const other = await newTeam(bob);
  await as(bob)("POST", `/api/teams/${other}/invitations`, { email: ada.email, role: "member" });
  expect((await as(ada)("POST", `/api/teams/${other}/accept`)).status).toBe(409);
  const [left] = (await as(ada)("GET", "/api/teams?limit=1")).data.teams as unknown as { id: string }[];
  const last = await join(ada, String(left?.id), bob, "admin").then(() => leave(ada, String(left?.id)));
  expect(last.status).toBe(200);
  expect((await as(ada)("POST", `/api/teams/${other}/accept`)).status).toBe(200);
});

test("a team has at most 500 members, invitations included", async () => {
  const ada = await signUp();
  const team = await newTeam(ada);
  await app.pool.query(
    `insert into team_invitations (id, team_id, email, role, inviter_id, created_at, sent_at)
     select 'inv_' || left(md5($1 || n), 26), $1, n || '@example.org', 'member', $2, now(), now()
     from generate_series(3, $3::int) n`,
    [team, ada.userId, limits.teamMembers],
  );
  const bob = await signUp();
  await join(ada, team, bob);
  const { status, body } = await as(ada)("POST", `/api/teams/${team}/invitations`, {
    email: "more@example.com",
    role: "member",
  });
  expect([status, body.details]).toEqual([409, { quota: "teamMembers", limit: limits.teamMembers }]);
  expect((await leave(bob, team)).status).toBe(200);
  const again = { email: "more@example.com", role: "member" };
  expect((await as(ada)("POST", `/api/teams/${team}/invitations`, again)).status).toBe(201);
});

test("the default team is one of the user's own, and none after leaving it", async () => {
  const [ada, bob] = [await signUp(), await signUp()];
  const team = await newTeam(ada);
  const set = (user: TestUser, body: object) => as(user)("PATCH", "/api/auth/me", body);
  expect((await set(bob, { defaultTeamId: team })).status).toBe(400);
  expect((await set(bob, { defaultTeamId: `team_${"0".repeat(26)}` })).status).toBe(400);
  await join(ada, team, bob);
  const { data } = await set(bob, { defaultTeamId: team, defaultPermission: "edit" });
  expect(data.user).toMatchObject({ defaultTeamId: team, defaultPermission: "edit" });
  await leave(bob, team);
  expect((await as(bob)("GET", "/api/auth/me")).data.user).toMatchObject({ defaultTeamId: null });
  await set(ada, { defaultTeamId: team });
  await as(ada)("DELETE", pathOf(team));
  expect((await as(ada)("GET", "/api/auth/me")).data.user?.defaultTeamId).toBe(null);
});

test("the invitations of an admin end with the role; nobody comes back through one to another address", async () => {
  const ada = await signUp();
  const team = await newTeam(ada);
  const ends: ((admin: TestUser) => Promise<unknown>)[] = [
    (admin) => as(ada)("PATCH", pathOf(team, admin), { role: "member" }),
    (admin) => as(ada)("DELETE", pathOf(team, admin)),
    (admin) => leave(admin, team),
    erase,
  ];
  for (const end of ends) {
    const [mallory, second, other] = [await signUp(), await signUp(), await signUp()];
    await join(ada, team, mallory, "admin");
    expect((await invite(mallory, team, second.email, "admin")).status).toBe(201);
    expect((await invite(ada, team, other.email)).status).toBe(201);
    await end(mallory);
    expect((await accept(second, team)).status).toBe(404);
    expect((await as(second)("GET", "/api/teams/invitations")).data.invitations).toEqual([]);
    expect((await accept(other, team)).status).toBe(200);
  }
});

test("an invitation that was sent while its sender was removed or disabled lets nobody in", async () => {
  const [ada, mallory, second] = [await signUp(), await signUp(), await signUp()];
  const team = await newTeam(ada);
  await join(ada, team, mallory, "admin");
  await invite(mallory, team, second.email);
  const set = (change: string) => app.pool.query(change, [mallory.userId]);
  await set("update users set disabled_at = now() where id = $1");
  expect((await accept(second, team)).status).toBe(404);
  await set("update users set disabled_at = null where id = $1");
  await set("update team_members set role = 'member' where user_id = $1");
  expect((await accept(second, team)).status).toBe(404);
  await set("update team_members set role = 'admin' where user_id = $1");
  expect((await accept(second, team)).status).toBe(200);
});

test("a team that is deleted while somebody makes it the default one is nobody's default team", async () => {
  const [ada, bob] = [await signUp(), await signUp()];
  const team = await newTeam(ada);
  await join(ada, team, bob);
  const client = await app.pool.connect();
  try {
    // As a request does that has found the membership, and has not committed yet.
    await client.query("begin");
    await client.query("select from team_members where user_id = $1 for key share", [bob.userId]);
    await client.query("update users set default_team_id = $2 where id = $1", [bob.userId, team]);
    const deleting = as(ada)("DELETE", pathOf(team));
    await until(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await app.pool.query(waiting)).rowCount === 1;
    });
    await client.query("commit");
    expect((await deleting).status).toBe(200);
  } finally {
    client.release();
  }
  expect((await as(bob)("GET", "/api/auth/me")).data.user?.defaultTeamId).toBe(null);
});

test("when its last admin is erased, a team goes to the member who has been in it longest, or ends with nobody left", async () => {
  const [ada, bob, eve] = [await signUp(), await signUp(), await signUp()];
  const [team, alone] = [await newTeam(ada), await newTeam(ada)];
  for (const user of [bob, eve]) {
    await app.clock.advance(1_000);
    await join(ada, team, user);
  }
  const mine = await newTeam(eve);
  await as(eve)("POST", `/api/teams/${mine}/invitations`, { email: ada.email, role: "admin" });
  await erase(ada);
  expect(await rolesIn(eve, team)).toEqual({ [bob.userId]: "admin", [eve.userId]: "member" });
  expect((await auditOf(bob, 1))[0]).toBe("team.role_changed");
  const { rows } = await app.pool.query("select ended_at is not null as ended from teams where id = $1", [alone]);
  expect(rows).toEqual([{ ended: true }]);
  expect((await as(eve)("GET", `/api/teams/${mine}/invitations`)).data.invitations).toEqual([]);
});
