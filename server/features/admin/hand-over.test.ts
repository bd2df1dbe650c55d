import { afterAll, expect, test } from "vitest";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs, makeJobsDue } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { ENDLESS_RUNS } from "../../jobs/job.ts";
import { handOverSome } from "../../services/hand-over.ts";
import { erasePerson } from "../../services/person-erasure.ts";
import { adminJobs } from "./index.ts";
import { createScene } from "./testing/scene.ts";

const mail = await startMailServer();
const app = await start({ worker: true, config: { smtpUrl: mail.url, rateLimitAuthPerMinute: 1_000 } });
afterAll(mail.stop);
const scene = createScene(app);
const { act, account, eventsOf, makeAdministrator, makeEstimations, ownersOf, signUpVerified, logIn } = scene;
const administrator = await makeAdministrator();
const { pool } = app.services;

/** Waits until no work and no mail is left. */
const done = async () => {
  await until(async () => {
    await makeJobsDue(app.pool);
    const counts = ["hand-over-estimations", "erase-account", "send-mail"].map((name) => countJobs(app.pool, name));
    return (await Promise.all(counts)).every((count) => count === 0);
  });
};
const mailsTo = ({ email }: TestUser) => mail.mails.filter(({ to }) => to.includes(email));

test("all estimations go to another account, in more than one batch; both are told, and it is recorded", async () => {
  const [ada, bob] = [await signUpVerified(), await signUpVerified()];
  const ids = await makeEstimations(ada, 21);
  const [gone] = await makeEstimations(ada, 1);
  await app.request("DELETE", `/api/estimations/${gone}`, { token: ada.token });
  expect((await act(administrator, ada, "hand-over", { toUserId: bob.userId })).status).toBe(202);
  await done();
  expect(new Set(await ownersOf(ids))).toEqual(new Set([bob.userId]));
  expect(await ownersOf([String(gone)])).toEqual([ada.userId]);
  const read = await app.request("GET", `/api/estimations/${ids[0]}`, { token: bob.token });
  expect(read.data.estimation?.access).toBe("owner");
  const { data } = await app.request("GET", `/api/estimations/${ids[0]}/activity?limit=1`, { token: bob.token });
  expect(data.activity?.[0]).toMatchObject({
    ...{ kind: "estimation.transferred", person: { id: administrator.userId }, subject: { userId: bob.userId } },
  });
  expect((await app.request("GET", `/api/estimations/${ids[0]}`, { token: ada.token })).status).toBe(404);
  const [told] = mailsTo(ada).filter(({ headers }) => headers.subject === "Your estimations get another owner");
  expect(told?.body).toContain(bob.email);
  const [received] = mailsTo(bob).filter(({ headers }) => headers.subject === "You get estimations of somebody else");
  expect(received?.body).toContain(ada.email);
  const ordered = { actor: { id: administrator.userId } };
  expect((await eventsOf(administrator, ada)).slice(0, 2)).toMatchObject([
    { event: "estimations.handed_over", ...ordered, otherUser: { id: bob.userId } },
    { event: "estimations.hand_over_ordered", ...ordered, otherUser: { id: bob.userId } },
  ]);
  expect((await eventsOf(administrator, bob))[0]).toMatchObject({
    ...{ event: "estimations.received", ...ordered, otherUser: { id: ada.userId } },
  });
});

test("a receiver who was invited, and had not accepted, can transfer the estimation on", async () => {
  const [ada, bob, eve] = [await signUpVerified(), await signUpVerified(), await signUpVerified()];
  const [id] = await makeEstimations(ada, 1);
  const path = `/api/estimations/${id}`;
  const share = async ({ token }: TestUser, { email }: TestUser, permission: string) => {
    const shared = await app.request("POST", `${path}/shares`, { token, body: { email, permission } });
    expect(shared.status).toBe(201);
  };
  await share(ada, bob, "view");
  await act(administrator, ada, "hand-over", { toUserId: bob.userId });
  await done();
  // Signing in accepts whatever invitations there are.
  expect((await logIn(bob)).status).toBe(200);
  const { data } = await app.request("GET", `${path}/shares`, { token: bob.token });
  expect(data.shares).toEqual([]);
  await share(bob, eve, "edit");
  await logIn(eve);
  const body = { userId: eve.userId };
  const moved = await app.request("POST", `${path}/transfer`, { token: bob.token, body });
  expect([moved.status, moved.data.estimation?.access]).toEqual([200, "editor"]);
});

test("no order is given in which an account takes part that gives or receives in another", async () => {
  const [ada, bob, eve] = [await signUpVerified(), await signUpVerified(), await signUpVerified()];
  const ids = await makeEstimations(ada, 1);
  mail.refuse(451, ada.email, 1_000);
  await act(administrator, ada, "hand-over", { toUserId: bob.userId });
  const refusals = [
    act(administrator, bob, "erase", { email: bob.email }),
    act(administrator, bob, "hand-over", { toUserId: ada.userId }),
    act(administrator, bob, "hand-over", { toUserId: eve.userId }),
    act(administrator, ada, "erase", { email: ada.email }),
    act(administrator, eve, "hand-over", { toUserId: ada.userId }),
    act(administrator, eve, "erase", { email: eve.email, toUserId: bob.userId }),
  ];
  for (const { status, body } of await Promise.all(refusals))
    expect([status, body.message, body.details]).toEqual([409, "account_work_under_way", { work: "handing_over" }]);
  expect((await logIn(bob)).status).toBe(200);
  mail.accept(ada.email);
  await done();
  expect(await ownersOf(ids)).toEqual([bob.userId]);
  expect((await act(administrator, bob, "hand-over", { toUserId: eve.userId })).status).toBe(202);
  await done();
  expect(await ownersOf(ids)).toEqual([eve.userId]);
});

test("of two orders at once in opposite directions, one is refused", async () => {
  const [ada, bob] = [await signUpVerified(), await signUpVerified()];
  const orders = [
    act(administrator, ada, "hand-over", { toUserId: bob.userId }),
    act(administrator, bob, "hand-over", { toUserId: ada.userId }),
  ];
  expect((await Promise.all(orders)).map(({ status }) => status).sort()).toEqual([202, 409]);
  await done();
});

test("nothing changes hands before both have been told", async () => {
  for (const refusing of ["owner", "receiver"] as const) {
    const [ada, bob] = [await signUpVerified(), await signUpVerified()];
    const ids = await makeEstimations(ada, 1);
    const told = refusing === "owner" ? ada : bob;
    mail.refuse(451, told.email, 1_000);
    await act(administrator, ada, "hand-over", { toUserId: bob.userId });
    await until(async () => {
      const { rows } = await app.pool.query(
        "select due_at > now() and lease is null as waits from job_leases where name = 'hand-over-estimations'",
      );
      return rows[0] === undefined || rows[0].waits;
    });
    expect(await ownersOf(ids), refusing).toEqual([ada.userId]);
    expect((await account(administrator, ada))?.work).toBe("handing_over");
    mail.accept(told.email);
    await done();
    expect(await ownersOf(ids)).toEqual([bob.userId]);
    expect(mailsTo(told).at(-1)?.headers.subject).toMatch(/^You(r estimations get another owner| get estimations)/);
  }
});

test("the receiver is another person with a verified address, neither disabled nor an administrator", async () => {
  const ada = await signUpVerified();
  const [estimation] = await makeEstimations(ada, 1);
  const disabled = await signUpVerified();
  await act(administrator, disabled, "disable");
  const unverified = await app.signUp();
  const other = await makeAdministrator(await signUpVerified());
  for (const to of [ada, administrator, other, disabled, unverified, { userId: "usr_none" }]) {
    const body = { toUserId: to.userId };
    const refused = await act(administrator, ada, "hand-over", body);
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/toUserId"]);
    const erasing = await act(administrator, ada, "erase", { ...body, email: ada.email });
    expect([erasing.status, erasing.body.errors?.[0]?.path]).toEqual([400, "/toUserId"]);
  }
  expect(await ownersOf([String(estimation)])).toEqual([ada.userId]);
});

test("a receiver who becomes an administrator in between gets nothing more", async () => {
  const [ada, bob] = [await signUpVerified(), await signUpVerified()];
  const ids = await makeEstimations(ada, 12);
  const isAllowed = (_: unknown, to: { isAdministrator: boolean }) => !to.isAdministrator;
  const given = { from: ada.userId, to: bob.userId, actorId: administrator.userId, now: app.clock.now() };
  expect(await handOverSome(pool, given, isAllowed)).toBe(10);
  await makeAdministrator(bob);
  expect(await handOverSome(pool, given, isAllowed)).toBeNull();
  const [handOver, erase] = jobsFrom();
  await handOver?.run(orderOf(ada, bob), context);
  expect((await ownersOf(ids)).filter((id) => id === ada.userId)).toHaveLength(2);
  // It has ended, and whoever gave the order is told.
  const ended = { actor: { id: administrator.userId }, otherUser: { id: bob.userId } };
  expect((await eventsOf(administrator, ada))[0]).toMatchObject({ event: "estimations.hand_over_lapsed", ...ended });
  const told = () => mailsTo(administrator).filter(({ body }) => body.includes(ada.email));
  await done();
  expect(told()).toHaveLength(1);
  await erase?.run(orderOf(ada, bob), context);
  expect((await eventsOf(administrator, ada))[0]).toMatchObject({ event: "account.erasure_lapsed", ...ended });
  await done();
  expect(told()).toHaveLength(2);
  expect((await ownersOf(ids)).filter((id) => id === ada.userId)).toHaveLength(2);
});

test("an account that became an administrator's since the order keeps everything", async () => {
  const [ada, bob] = [await makeAdministrator(await signUpVerified()), await signUpVerified()];
  const ids = await makeEstimations(ada, 1);
  const [handOver, erase] = jobsFrom();
  await handOver?.run(orderOf(ada, bob), context);
  await erase?.run(orderOf(ada, bob), context);
  await erase?.run(orderOf(ada), context);
  expect(await ownersOf(ids)).toEqual([ada.userId]);
  expect((await eventsOf(administrator, ada)).slice(0, 3)).toMatchObject([
    { event: "account.erasure_lapsed", otherUser: null },
    { event: "account.erasure_lapsed", otherUser: { id: bob.userId } },
    { event: "estimations.hand_over_lapsed", otherUser: { id: bob.userId } },
  ]);
});

const context = { signal: new AbortController().signal, lease: { key: "", token: "" } };
const orderOf = (from: TestUser, to?: TestUser) => ({
  ...{ id: "order", userId: from.userId, actorId: administrator.userId },
  ...(to && { toUserId: to.userId }),
});

/** The jobs, with a hand-over that is cut after so many batches. */
function jobsFrom(batches = Number.POSITIVE_INFINITY) {
  let left = batches;
  return adminJobs(app.services, {
    async handOverSome(given, isAllowed) {
      left -= 1;
      if (left < 0) throw new Error("the process was killed");
      return await handOverSome(pool, { ...given, now: app.clock.now() }, isAllowed);
    },
    erase: (db, person) => erasePerson(db, app.services, { ...person, isTrial: false }),
  });
}

test("killed in the middle and started again, it hands over the rest, each once", async () => {
  const [ada, bob] = [await signUpVerified(), await signUpVerified()];
  const ids = await makeEstimations(ada, 25);
  const order = orderOf(ada, bob);
  const [cut] = jobsFrom(1);
  await expect(cut?.run(order, context)).rejects.toThrow("killed");
  expect((await ownersOf(ids)).filter((id) => id === bob.userId)).toHaveLength(10);
  const [again] = jobsFrom();
  // Two processes, of which one believed the other dead.
  await Promise.all([again?.run(order, context), again?.run(order, context)]);
  expect(new Set(await ownersOf(ids))).toEqual(new Set([bob.userId]));
  const usage = async ({ userId }: TestUser) =>
    (await app.pool.query("select estimations from estimation_usage where owner_id = $1", [userId])).rows[0]
      .estimations;
  expect([await usage(ada), await usage(bob)]).toEqual([0, 25]);
  const stopped = new AbortController();
  stopped.abort();
  await expect(again?.run(order, { ...context, signal: stopped.signal })).rejects.toThrow("the worker stops");
});

test("who becomes an administrator after the hand-over is not erased, and an erasure is recorded with it", async () => {
  const [ada, bob] = [await signUpVerified(), await signUpVerified()];
  const [kept] = await makeEstimations(ada, 1);
  const erasing = (before: () => Promise<unknown>) =>
    adminJobs(app.services, {
      handOverSome: async () => 0,
      async erase(db, person) {
        await before();
        return await erasePerson(db, app.services, { ...person, isTrial: false });
      },
    })[1];
  for (const promoted of [ada, bob]) {
    await erasing(() => makeAdministrator(promoted))?.run(orderOf(ada, bob), context);
    expect(await ownersOf([String(kept)])).toEqual([ada.userId]);
    expect((await eventsOf(administrator, ada))[0]?.event).toBe("account.erasure_lapsed");
    await app.pool.query("update users set is_administrator = false where id = $1", [promoted.userId]);
  }
  await app.pool.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''full''; end'`,
  );
  await app.pool.query(`create trigger refuse before insert on audit_events for each row
    when (new.event = 'account.erased') execute function refuse()`);
  await expect(erasing(async () => {})?.run(orderOf(ada), context)).rejects.toThrow();
  expect(await ownersOf([String(kept)])).toEqual([ada.userId]);
  await app.pool.query("drop trigger refuse on audit_events");
  await app.pool.query("drop function refuse");
  await erasing(async () => {})?.run(orderOf(ada), context);
  expect(await ownersOf([String(kept)])).toEqual([]);
});

test("work that was ordered is never given up", () => {
  expect(jobsFrom().map(({ maxRuns }) => maxRuns)).toEqual([ENDLESS_RUNS, ENDLESS_RUNS]);
});

test("an account is disabled at once, told by mail, and then erased with its estimations", async () => {
  const ada = await signUpVerified();
  const ids = await makeEstimations(ada, 2);
  mail.refuse(451, ada.email, 2);
  const wrong = await act(administrator, ada, "erase", { email: administrator.email });
  expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([400, "/email"]);
  expect((await act(administrator, ada, "erase", { email: ` ${ada.email.toUpperCase()}` })).status).toBe(202);
  expect((await logIn(ada)).body.message).toBe("account_disabled");
  expect((await account(administrator, ada))?.work).toBe("erasing");
  const busy = await act(administrator, ada, "enable");
  expect([busy.status, busy.body.details]).toEqual([409, { work: "erasing" }]);
  await done();
  expect(mailsTo(ada).some(({ headers }) => headers.subject === "Your account is being erased")).toBe(true);
  expect(await ownersOf(ids)).toEqual([]);
  const { rows } = await app.pool.query("select stands_for, disabled_at from users where id = $1", [ada.userId]);
  expect(rows).toEqual([{ stands_for: "erased", disabled_at: null }]);
  expect((await eventsOf(administrator, ada)).slice(0, 2)).toMatchObject([
    { event: "account.erased", actor: { id: administrator.userId } },
    { event: "account.erasure_ordered", actor: { id: administrator.userId } },
  ]);
});

test("with a receiver, erasing hands everything over before", async () => {
  const [ada, bob] = [await signUpVerified(), await signUpVerified()];
  const ids = await makeEstimations(ada, 11);
  const body = { email: ada.email, toUserId: bob.userId };
  expect((await act(administrator, ada, "erase", body)).status).toBe(202);
  await done();
  expect(new Set(await ownersOf(ids))).toEqual(new Set([bob.userId]));
  expect((await logIn(ada)).status).toBe(401);
  const events = async (user: TestUser) => (await eventsOf(administrator, user)).map(({ event }) => event);
  expect((await events(ada)).slice(0, 3)).toEqual([
    "account.erased",
    "estimations.handed_over",
    "account.erasure_ordered",
  ]);
  expect((await events(bob))[0]).toBe("estimations.received");
});
