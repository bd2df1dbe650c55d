import { expect, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { createScene as createTeamScene } from "../teams/testing/scene.ts";
import { removeEndedTeams, removeSharesWithEnded } from "./store.ts";
import { createScene } from "./testing/scene.ts";

const app = await start();
const { createEstimation, read, remove, invite, listShares, transfer, share: shareWith } = createScene(app);
const { as, newTeam, join, leave, auditOf } = createTeamScene(app);

const share = (owner: TestUser, estimation: string, teamId: string, permission = "view") =>
  as(owner)("POST", `/api/estimations/${estimation}/shares`, { teamId, permission });

/** A team of an admin and two members, the first of whom owns an estimation that is shared with it. */
async function makeScene(permission = "view") {
  const [admin, owner, member] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const team = await newTeam(admin, "Web");
  await join(admin, team, owner);
  await join(admin, team, member);
  const estimation = await createEstimation(owner);
  const { status, data } = await share(owner, estimation, team, permission);
  expect(status).toBe(201);
  return { admin, owner, member, team, estimation, shareId: String(data.share?.id) };
}

const levelOf = async (user: TestUser, estimation: string) =>
  (await read(user, estimation)).data.estimation?.access ?? null;

test("every member, also a later one, has the level from the next request on, and loses it on leaving", async () => {
  const { admin, owner, member, team, estimation } = await makeScene("edit");
  const late = await app.signUp();
  expect(await levelOf(late, estimation)).toBe(null);
  await join(admin, team, late);
  for (const user of [admin, member, late]) expect(await levelOf(user, estimation)).toBe("editor");
  expect((await as(member)("PUT", `/api/estimations/${estimation}`, { title: "Changed" })).status).toBe(200);
  expect((await as(member)("GET", `/api/estimations/${estimation}/shares`)).status).toBe(403);
  await leave(member, team);
  expect(await levelOf(member, estimation)).toBe(null);
  await as(admin)("DELETE", `/api/teams/${team}/members/${late.userId}`);
  expect(await levelOf(late, estimation)).toBe(null);
  expect(await levelOf(owner, estimation)).toBe("owner");
});

test("the share is in the lists of the estimation and of the team, and in the activity", async () => {
  const { owner, member, team, estimation, shareId } = await makeScene();
  const { shares } = await listShares(owner, estimation);
  expect(shares).toEqual([
    expect.objectContaining({
      id: shareId,
      email: null,
      team: { id: team, name: "Web" },
      permission: "view",
      status: "accepted",
      expiresAt: null,
    }),
  ]);
  expect((await as(member)("GET", `/api/teams/${team}/shares`)).data.shares).toEqual(shares);
  expect((await as(await app.signUp())("GET", `/api/teams/${team}/shares`)).status).toBe(404);
  const activityFor = async (user: TestUser) =>
    (await as(user)("GET", `/api/estimations/${estimation}/activity`)).data.activity?.[0];
  expect(await activityFor(owner)).toMatchObject({ kind: "share.invited", subject: { shareId, teamId: team } });
  expect((await activityFor(member))?.subject).toEqual({ shareId });
});

test("only a member shares with a team, only once, and changes the permission by sharing again", async () => {
  const { owner, member, team, estimation, shareId } = await makeScene();
  const stranger = await app.signUp();
  const other = await createEstimation(stranger);
  for (const teamId of [team, `team_${"0".repeat(26)}`, "x"]) {
    const { status, body } = await share(stranger, other, teamId);
    expect([status, body.errors?.[0]?.path]).toEqual([400, "/teamId"]);
  }
  const both = { email: "a@example.com", teamId: team, permission: "view" };
  for (const body of [both, { permission: "view" }])
    expect((await as(owner)("POST", `/api/estimations/${estimation}/shares`, body)).status).toBe(400);
  const again = await share(owner, estimation, team, "edit");
  expect([again.status, again.data.share?.id]).toEqual([200, shareId]);
  expect(await levelOf(member, estimation)).toBe("editor");
  expect((await share(owner, estimation, team)).status).toBe(200);
  expect(await levelOf(member, estimation)).toBe("viewer");
  expect((await as(owner)("POST", `/api/estimations/${estimation}/shares/${shareId}/resend`)).status).toBe(409);
});

test("of a share with a person and one with a team the higher level counts, and ending one leaves the other", async () => {
  const { owner, member, estimation, shareId } = await makeScene();
  const personal = await shareWith(owner, estimation, member, "edit");
  expect(await levelOf(member, estimation)).toBe("editor");
  expect((await remove(owner, personal)).status).toBe(200);
  expect(await levelOf(member, estimation)).toBe("viewer");
  const again = await shareWith(owner, estimation, member, "view");
  expect((await remove(owner, shareId)).status).toBe(200);
  expect(await levelOf(member, estimation)).toBe("viewer");
  await remove(owner, again);
  expect(await levelOf(member, estimation)).toBe(null);
});

test("the owner and the admins of the team end the share, other members do not", async () => {
  const { admin, member, owner, team, estimation, shareId } = await makeScene("edit");
  expect((await remove(member, shareId)).status).toBe(403);
  expect((await remove(await app.signUp(), shareId)).status).toBe(404);
  const { data } = await remove(admin, shareId);
  expect(data.share?.id).toBe(shareId);
  expect(await auditOf(admin, 1)).toEqual(["team.share_ended"]);
  expect(await levelOf(member, estimation)).toBe(null);
  expect((await as(admin)("GET", `/api/teams/${team}/shares`)).data.shares).toEqual([]);
  expect((await listShares(owner, estimation)).shares).toEqual([]);
});

test("when the owner leaves the team the share stays, and the owner still ends it", async () => {
  const { owner, member, team, estimation, shareId } = await makeScene();
  await leave(owner, team);
  expect(await levelOf(member, estimation)).toBe("viewer");
  expect((await share(owner, estimation, team, "edit")).status).toBe(200);
  expect((await remove(owner, shareId)).status).toBe(200);
  expect((await share(owner, estimation, team)).status).toBe(400);
});

test("a deleted team ends its shares and deletes no estimation; the rows go with a job", async () => {
  const { admin, owner, member, team, estimation } = await makeScene();
  expect((await as(admin)("DELETE", `/api/teams/${team}`)).status).toBe(200);
  expect(await levelOf(member, estimation)).toBe(null);
  expect(await levelOf(owner, estimation)).toBe("owner");
  expect((await listShares(owner, estimation)).shares).toEqual([]);
  expect((await share(owner, estimation, team)).status).toBe(400);
  expect(await removeEndedTeams(app.services.pool, 10)).toBe(0);
  expect(await removeSharesWithEnded(app.services.pool, 10)).toBe(1);
  expect(await removeEndedTeams(app.services.pool, 10)).toBe(1);
  const { rows } = await app.pool.query(
    "select (select count(*)::int from teams where id = $1) as teams, (select count(*)::int from shares where team_id = $1) as shares",
    [team],
  );
  expect(rows).toEqual([{ teams: 0, shares: 0 }]);
});

test("a transfer needs a share with the person, and keeps the shares with teams", async () => {
  const { owner, member, admin, estimation } = await makeScene("edit");
  expect((await transfer(owner, estimation, member.userId)).status).toBe(400);
  await shareWith(owner, estimation, member, "edit");
  expect((await transfer(owner, estimation, member.userId)).status).toBe(200);
  expect(await levelOf(admin, estimation)).toBe("editor");
  expect(await levelOf(member, estimation)).toBe("owner");
});

test("new estimations of every kind are shared with the default team at once, and no more after leaving it", async () => {
  const { owner, member, team, estimation } = await makeScene();
  await as(owner)("PATCH", "/api/auth/me", { defaultTeamId: team, defaultPermission: "edit" });
  const make = async (method: string, path: string, body?: object) => {
    const { status, data } = await as(owner)(method, path, body);
    expect(status).toBe(201);
    return String(data.estimation?.id);
  };
  const content = { format: "outline", content: "# New\n\n- Scope: 5\n" };
  const ways = [
    () => make("POST", "/api/estimations", { title: "New" }),
    () => make("POST", `/api/estimations/${estimation}/duplicate`),
    () => make("POST", "/api/estimations/import", content),
  ];
  for (const way of ways) {
    const made = await way();
    expect(await levelOf(member, made)).toBe("editor");
    expect((await listShares(owner, made)).shares).toEqual([
      expect.objectContaining({ team: { id: team, name: "Web" }, permission: "edit", sharerName: expect.any(String) }),
    ]);
  }
  await leave(owner, team);
  for (const way of ways) expect(await levelOf(member, await way())).toBe(null);
  expect((await invite(owner, estimation, "x@example.com")).status).toBe(201);
});

test("sharing with a team and leaving it at the same time end either way with what the order says", async () => {
  for (let n = 0; n < 5; n += 1) {
    const { owner, member, team } = await makeScene();
    const estimation = await createEstimation(owner);
    const [shared, left] = await Promise.all([share(owner, estimation, team), leave(owner, team)]);
    expect(left.status).toBe(200);
    expect([201, 400]).toContain(shared.status);
    expect(await levelOf(member, estimation)).toBe(shared.status === 201 ? "viewer" : null);
  }
});
