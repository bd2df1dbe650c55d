import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countDueJobs, makeJobsDue } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { createScene } from "./testing/scene.ts";

const DAY_MS = 86_400_000;
const MOST = 8;
const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", invitationsPerHour: MOST },
});
afterAll(mail.stop);
const { as, newTeam, invite, accept, auditOf, rolesIn, verify } = createScene(app);

async function signUp(): Promise<TestUser> {
  const user = await app.signUp();
  await verify(user);
  return user;
}

async function signInAgain(user: TestUser): Promise<TestUser> {
  const { data } = await app.request("POST", "/api/auth/login", {
    body: { email: user.email, password: user.password },
  });
  return { ...user, token: String(data.token) };
}

async function mailsTo(address: string, subject = "You are invited to a team") {
  await until(async () => (await countDueJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(({ to, headers }) => to.includes(address) && headers.subject === subject);
}

test("an invitation is mailed with a link, listed for its address, and accepted by hand only", async () => {
  const [ada, bob] = [await signUp(), await signUp()];
  const team = await newTeam(ada, "Shop");
  const { status, data } = await invite(ada, team, bob.email.toUpperCase(), "admin");
  expect([status, data.invitation]).toEqual([
    201,
    expect.objectContaining({ teamId: team, teamName: "Shop", email: bob.email, role: "admin", status: "pending" }),
  ]);
  const [letter] = await mailsTo(bob.email);
  expect(letter?.body).toContain(`https://app.example.org/teams/${team}/invitation`);
  expect(letter?.body).toContain('invites you to the team "Shop"');
  // Signing in accepts nothing.
  const again = await signInAgain(bob);
  expect((await as(again)("GET", `/api/teams/${team}`)).status).toBe(404);
  const mine = await as(again)("GET", "/api/teams/invitations");
  expect(mine.data.invitations?.[0]).toMatchObject({ teamId: team, role: "admin" });
  expect((await accept(again, team)).data.team).toMatchObject({ id: team, role: "admin", memberCount: 2 });
  expect((await accept(again, team)).status).toBe(200);
  expect((await as(again)("GET", "/api/teams/invitations")).data.invitations).toEqual([]);
  expect((await as(ada)("GET", `/api/teams/${team}/invitations`)).data.invitations).toEqual([]);
  expect(await auditOf(ada, 2)).toEqual(["team.invited", "team.created"]);
  expect((await auditOf(again, 1))[0]).toBe("team.joined");
});

test("an invitation that went with its sender's role before the mail server was back is not mailed", async () => {
  const [ada, bob, eve] = [await signUp(), await signUp(), await signUp()];
  const team = await newTeam(ada);
  await invite(ada, team, bob.email, "admin");
  await accept(bob, team);
  mail.refuse(451, eve.email);
  await invite(bob, team, eve.email);
  const isRefused = "select from job_leases where name = 'send-mail' and last_error is not null";
  await until(async () => (await app.pool.query(isRefused)).rowCount === 1);
  await as(ada)("PATCH", `/api/teams/${team}/members/${bob.userId}`, { role: "member" });
  await makeJobsDue(app.pool);
  expect(await mailsTo(eve.email)).toEqual([]);
  expect((await app.pool.query(isRefused)).rowCount).toBe(0);
});

test("to an address that nobody has proved, the mail names nothing that others chose", async () => {
  const ada = await signUp();
  const team = await newTeam(ada, "Ridiculous offers");
  const address = `${randomUUID()}@example.com`;
  await invite(ada, team, address);
  const [letter] = await mailsTo(address);
  expect(letter?.body).toContain(`${ada.email} invites you to a team.`);
  expect(letter?.body).not.toContain("Ridiculous");
});

test("only the verified owner of the address accepts or declines; others find nothing", async () => {
  const [ada, eve] = [await signUp(), await signUp()];
  const unproved = await app.signUp();
  const team = await newTeam(ada);
  await invite(ada, team, unproved.email);
  for (const act of ["accept", "decline"]) {
    expect((await as(eve)("POST", `/api/teams/${team}/${act}`)).status).toBe(404);
    const { status, body } = await as(unproved)("POST", `/api/teams/${team}/${act}`);
    expect([status, body.details]).toEqual([403, { reason: "email_not_verified" }]);
  }
  expect((await as(unproved)("POST", "/api/teams", { name: "Mine" })).status).toBe(403);
  await verify(unproved);
  expect((await as(unproved)("POST", `/api/teams/${team}/decline`)).data.invitation).toMatchObject({ teamId: team });
  expect((await accept(unproved, team)).status).toBe(404);
  expect(await rolesIn(ada, team)).toEqual({ [ada.userId]: "admin" });
  expect((await auditOf(unproved, 1))[0]).toBe("team.invitation_declined");
});

test("a withdrawn invitation, one of a deleted team and an expired one cannot be accepted; inviting again makes the last valid", async () => {
  const [ada, bob] = [await signUp(), await signUp()];
  const team = await newTeam(ada);
  const first = String((await invite(ada, team, bob.email)).data.invitation?.id);
  expect((await as(ada)("DELETE", `/api/teams/${team}/invitations/${first}`)).status).toBe(200);
  expect((await as(ada)("DELETE", `/api/teams/${team}/invitations/${first}`)).status).toBe(404);
  expect((await accept(bob, team)).status).toBe(404);
  const ended = await newTeam(ada);
  await invite(ada, ended, bob.email);
  await as(ada)("DELETE", `/api/teams/${ended}`);
  expect((await accept(bob, ended)).status).toBe(404);

  await invite(ada, team, bob.email);
  await app.clock.advance(limits.invitationDays * DAY_MS);
  const [late, admin] = [await signInAgain(bob), await signInAgain(ada)];
  expect((await as(late)("GET", "/api/teams/invitations")).data.invitations).toHaveLength(1);
  await app.clock.advance(1);
  const { status, body } = await accept(late, team);
  expect([status, body.message]).toEqual([409, "invitation_expired"]);
  expect((await as(late)("GET", "/api/teams/invitations")).data.invitations).toEqual([]);
  expect((await as(admin)("GET", `/api/teams/${team}/invitations`)).data.invitations?.[0]?.status).toBe("expired");
  expect((await invite(admin, team, bob.email, "admin")).status).toBe(200);
  expect((await accept(late, team)).data.team?.role).toBe("admin");
});

test("invitations to teams and shares count together per hour, and per mail to an address", async () => {
  const [ada, address] = [await signUp(), `${randomUUID()}@example.com`];
  const team = await newTeam(ada);
  for (let n = 0; n < limits.invitationMailsPerDay; n += 1) {
    await app.clock.advance(1_000);
    expect((await invite(ada, team, address)).status).toBe(n === 0 ? 201 : 200);
    expect(await mailsTo(address)).toHaveLength(n + 1);
  }
  const more = await invite(ada, team, address);
  expect([more.status, more.headers.get("ratelimit-policy")]).toEqual([429, '"team";q=3;w=86400']);

  const { data } = await as(ada)("POST", "/api/estimations", { title: "Checkout" });
  const share = (email: string) =>
    as(ada)("POST", `/api/estimations/${data.estimation?.id}/shares`, { email, permission: "view" });
  // The address has had as many from this sender as it may: the share waits for the next day's mail.
  expect((await share(address)).status).toBe(201);
  expect(await mailsTo(address, "An estimation was shared with you")).toEqual([]);
  const second = await newTeam(ada, "Second");
  expect((await invite(ada, second, address)).status).toBe(201);
  for (let n = limits.invitationMailsPerDay + 2; n < MOST; n += 1)
    expect((await invite(ada, second, `${randomUUID()}@example.com`)).status).toBe(201);
  for (const refused of [await share("z@example.com"), await invite(ada, second, "z@example.com")])
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([429, `"invitations";q=${MOST};w=3600`]);

  await app.clock.advance(DAY_MS + 1);
  await makeJobsDue(app.pool);
  const [digest] = await mailsTo(address, "You have invitations");
  expect(digest?.body).toContain(ada.email);
  expect(digest?.body).toContain("https://app.example.org/shared");
});

test("the address of a member cannot be invited", async () => {
  const ada = await signUp();
  const team = await newTeam(ada);
  const { status, body } = await invite(ada, team, ada.email);
  expect([status, body.message]).toEqual([409, "already_member"]);
});

test("joining a team ends what somebody else may have made before the address was proved", async () => {
  const ada = await signUp();
  const bob = await app.signUp();
  const key = await app.makeKey(bob, ["estimations:read"]);
  await verify(bob);
  await app.pool.query("update users set proved_by_reset_at = $2 where id = $1", [
    bob.userId,
    new Date(app.clock.now().getTime() + 1),
  ]);
  const team = await newTeam(ada);
  await invite(ada, team, bob.email);
  expect((await app.request("GET", "/api/estimations", { token: key })).status).toBe(200);
  await app.clock.advance(1_000);
  expect((await accept(bob, team)).status).toBe(200);
  expect((await app.request("GET", "/api/estimations", { token: key })).status).toBe(401);
});
