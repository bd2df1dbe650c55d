import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { createScene } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
const { send, succeed } = scene;

const DAY_MS = 86_400_000;
const waiting = async (user: TestUser) => (await succeed(send(user, "GET", "/api/reviews/waiting"))).waiting;

test("counts reviews to decide and invitations to accept, and nothing that was decided, accepted, deleted or has ended", async () => {
  const [owner, user] = [await app.signUp(), await app.signUp()];
  const none = { reviews: 0, estimationInvitations: 0, teamInvitations: 0, rounds: 0 };
  expect(await waiting(user)).toEqual(none);
  const ids = [await scene.createEstimation(owner), await scene.createEstimation(owner)];
  const [first, second] = ids as [string, string];
  const review = await scene.ask(owner, first, user);
  const share = async (id: string) =>
    (await succeed(send(owner, "POST", `${scene.pathOf(id)}/shares`, { email: user.email, permission: "view" }))).share;
  const shared = await share(first);
  await share(second);
  const team = async (name: string) => {
    const id = String((await succeed(send(owner, "POST", "/api/teams", { name }))).team?.id);
    await succeed(send(owner, "POST", `/api/teams/${id}/invitations`, { email: user.email, role: "member" }));
    return id;
  };
  const [web, data] = [await team("Web"), await team("Data")];
  expect(await waiting(user)).toEqual({ reviews: 1, estimationInvitations: 2, teamInvitations: 2, rounds: 0 });
  expect(await waiting(owner)).toEqual(none);
  await succeed(scene.approve(user, first, review));
  await succeed(send(user, "POST", `/api/shares/${shared?.id}/accept`));
  await succeed(send(user, "POST", `/api/teams/${web}/accept`));
  expect(await waiting(user)).toEqual({ reviews: 0, estimationInvitations: 1, teamInvitations: 1, rounds: 0 });
  await succeed(send(owner, "DELETE", scene.pathOf(second)));
  await succeed(send(owner, "DELETE", `/api/teams/${data}`));
  expect(await waiting(user)).toEqual(none);
});

test("counts an invitation to the last moment in which it can be accepted", async () => {
  const [owner, invited] = [await app.signUp(), await app.signUp()];
  const id = await scene.createEstimation(owner);
  const body = { email: invited.email, permission: "view" };
  await succeed(send(owner, "POST", `${scene.pathOf(id)}/shares`, body));
  const { id: teamId } = (await succeed(send(owner, "POST", "/api/teams", { name: "Web" }))).team ?? {};
  await succeed(send(owner, "POST", `/api/teams/${teamId}/invitations`, { email: invited.email, role: "member" }));
  // Sessions end before invitations do: what waits is read with rows that are older.
  const age = (ms: number) =>
    app.pool.query(
      `with s as (update shares set sent_at = sent_at - $1::float8 * interval '1 millisecond' where estimation_id = $2)
       update team_invitations set sent_at = sent_at - $1::float8 * interval '1 millisecond' where team_id = $3`,
      [ms, id, teamId],
    );
  await age(limits.invitationDays * DAY_MS);
  expect(await waiting(invited)).toEqual({ reviews: 0, estimationInvitations: 1, teamInvitations: 1, rounds: 0 });
  await age(1);
  expect(await waiting(invited)).toEqual({ reviews: 0, estimationInvitations: 0, teamInvitations: 0, rounds: 0 });
});

test(`counts each up to ${limits.reviewsCounted}`, async () => {
  const [owner, user] = [await app.signUp(), await app.signUp()];
  const id = await scene.createEstimation(owner);
  const add = async (from: number, to: number) => {
    const values = [from, to, owner.userId, user.email, id];
    await app.pool.query(
      `with made as (
         insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
         select 'est_' || lpad(n::text, 26, '0'), $3, 'Bulk', '', 0.2, now(), now() from generate_series($1::int, $2::int) n
         returning id)
       insert into shares select (jsonb_populate_record(null::shares, jsonb_build_object(
         'id', 'shr_' || right(made.id, 26), 'estimation_id', made.id, 'email', $4::text, 'permission', 'view',
         'sharer_id', $3::text, 'created_at', $6::timestamptz, 'sent_at', $6::timestamptz, 'mailed_at', array[]::timestamptz[]))).*
       from made where $5::text is not null`,
      [...values, app.clock.now()],
    );
    await app.pool.query(
      `with made as (
         insert into teams select (jsonb_populate_record(null::teams, jsonb_build_object(
           'id', 'tem_' || lpad(n::text, 26, '0'), 'name', 'Bulk', 'created_at', $4::timestamptz))).*
         from generate_series($1::int, $2::int) n returning id)
       insert into team_invitations select (jsonb_populate_record(null::team_invitations, jsonb_build_object(
         'id', 'inv_' || right(made.id, 26), 'team_id', made.id, 'email', $3::text, 'role', 'member', 'inviter_id', $5::text,
         'created_at', $4::timestamptz, 'sent_at', $4::timestamptz, 'mailed_at', array[]::timestamptz[]))).* from made`,
      [from, to, user.email, app.clock.now(), owner.userId],
    );
  };
  await add(1, limits.reviewsCounted - 1);
  const counts = async () => {
    const { estimationInvitations, teamInvitations } = (await waiting(user)) ?? {};
    return [estimationInvitations, teamInvitations];
  };
  expect(await counts()).toEqual([limits.reviewsCounted - 1, limits.reviewsCounted - 1]);
  await add(limits.reviewsCounted, limits.reviewsCounted + 1);
  expect(await counts()).toEqual([limits.reviewsCounted, limits.reviewsCounted]);
});

test("counts no invitations of an address that is not verified", async () => {
  const mailing = await start({ config: { smtpUrl: "smtp://127.0.0.1:1" } });
  const [owner, user] = [await mailing.signUp(), await mailing.signUp()];
  const verify = (ids: readonly string[], at: Date | null) =>
    mailing.pool.query("update users set email_verified_at = $2 where id = any($1)", [ids, at]);
  await verify([owner.userId, user.userId], mailing.clock.now());
  const { createEstimation, pathOf } = createScene(mailing);
  const id = await createEstimation(owner);
  const { token } = owner;
  const body = { email: user.email, permission: "view" };
  expect((await mailing.request("POST", `${pathOf(id)}/shares`, { token, body })).status).toBe(201);
  const counted = async () => {
    const { data } = await mailing.request("GET", "/api/reviews/waiting", { token: user.token });
    return data.waiting?.estimationInvitations;
  };
  expect(await counted()).toBe(1);
  await verify([user.userId], null);
  expect(await counted()).toBe(0);
});
