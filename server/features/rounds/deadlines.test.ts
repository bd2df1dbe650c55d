import { afterAll, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs, makeJobsDue } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { erasePerson } from "../../services/person-erasure.ts";
import { createScene, points, type RoundScene } from "./testing/scene.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org" },
});
afterAll(mail.stop);
const scene = createScene(app);
const { send, succeed } = scene;
const DAY_MS = 86_400_000;
const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();

/** An estimation whose people have verified addresses. */
async function make(people: number, options = 1): Promise<RoundScene> {
  const made = await scene.make(people, options);
  const ids = [made.owner, ...made.people].map(({ userId }) => userId);
  await app.pool.query("update users set email_verified_at = now() where id = any($1)", [ids]);
  return made;
}

async function signIn<U extends TestUser>(user: U): Promise<U> {
  const { email, password } = user;
  const { data } = await app.request("POST", "/api/auth/login", { body: { email, password } });
  return { ...user, token: String(data.token) };
}

/** The same people, after so long: sessions end before. */
async function later(made: RoundScene, ms: number): Promise<RoundScene> {
  await app.clock.advance(ms);
  return { ...made, owner: await signIn(made.owner), people: await Promise.all(made.people.map(signIn)) };
}

async function mailsTo({ email }: TestUser) {
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(
    ({ to, headers }) => to.includes(email) && headers["list-unsubscribe"]?.includes("token=round"),
  );
}
const subjectsTo = async (user: TestUser) => (await mailsTo(user)).map(({ headers }) => headers.subject);
const kindsOf = async (user: TestUser) =>
  ((await succeed(send(user, "GET", "/api/notifications"))).notifications as unknown as Json[]).map(({ kind }) =>
    String(kind),
  );

/** Looks at the rounds whose time has come, until nothing follows from it any more. */
async function look(): Promise<void> {
  await scene.run("reveal-due-rounds");
  await until(async () => (await countJobs(app.pool, "reveal-round")) === 0);
}

test("those who are asked get a mail, a day before the deadline those who have not answered, and all when it is revealed", async () => {
  const asked = await make(3);
  const round = await scene.open(asked, { deadline: inMs(3 * DAY_MS) });
  const [first] = await mailsTo(asked.people[0] as TestUser);
  expect(first?.headers.subject).toBe("Please estimate: Checkout");
  expect(first?.body).toContain('asks you to estimate 1 option of "Checkout"');
  expect(first?.body).toContain(`https://app.example.org${round.replace("/api", "")}`);
  await succeed(scene.estimate(asked.people[0] as TestUser, round, asked.optionIds[0], points(1), "quokka"));
  await app.clock.advance(2 * DAY_MS - 1);
  await scene.run("remind-of-rounds");
  expect(await subjectsTo(asked.people[1] as TestUser)).toEqual(["Please estimate: Checkout"]);
  const made = await later(asked, 1);
  const [a, b, c] = made.people as [TestUser, TestUser, TestUser];
  await Promise.all([scene.run("remind-of-rounds"), scene.run("remind-of-rounds")]);
  await scene.run("remind-of-rounds");
  const due = "A day left to estimate: Checkout";
  expect(await subjectsTo(a)).toEqual(["Please estimate: Checkout"]);
  for (const person of [b, c]) {
    expect(await subjectsTo(person)).toEqual(["Please estimate: Checkout", due]);
    expect(await kindsOf(person)).toEqual(["round.due", "round.asked"]);
  }
  await succeed(scene.estimate(b, round, made.optionIds[0], points(2)));
  const end = await later(made, DAY_MS);
  await look();
  expect(await scene.read(end.owner, round)).toMatchObject({ status: "revealed", answered: 2 });
  for (const person of end.people) expect((await subjectsTo(person)).at(-1)).toBe("Estimates revealed: Checkout");
  expect(await kindsOf(end.people[2] as TestUser)).toEqual(["round.revealed", "round.asked"]);
  expect(await subjectsTo(end.owner)).toEqual([]);
  for (const { body } of mail.mails) expect(body).not.toContain("quokka");
});

test("at the deadline with too few estimates it stays open, and is revealed by the next answer that makes them enough", async () => {
  const made = await make(3, 2);
  const [a, b] = made.people as [TestUser, TestUser];
  const round = await scene.open(made, { deadline: inMs(1_000) });
  await succeed(scene.estimate(a, round, made.optionIds[0], points(1)));
  await app.clock.advance(999);
  await look();
  await app.clock.advance(1);
  await look();
  await look();
  expect(await scene.read(made.owner, round)).toMatchObject({ status: "open" });
  await succeed(scene.estimate(b, round, made.optionIds[1], points(1)));
  await until(async () => (await countJobs(app.pool, "reveal-round")) === 0);
  expect(await scene.read(made.owner, round)).toMatchObject({ status: "open" });
  await succeed(scene.estimate(b, round, made.optionIds[0], points(9)));
  await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
  const [first] = await scene.options(made.owner, round);
  expect(first?.result).toMatchObject({ people: 2 });
});

test("who has lost access is not waited for; an invitation that can be accepted is", async () => {
  const made = await make(3);
  const [a, b] = made.people as [TestUser, TestUser];
  const participants = made.people.map(({ userId }) => userId);
  const invited = `i${made.id.slice(4, 12)}@example.com`;
  const [round, other] = [
    await scene.open(made),
    await scene.open(made, { participants: [...participants.slice(0, 2), invited] }),
  ];
  const { shares } = await succeed(send(made.owner, "GET", `${made.path}/shares`));
  const third = (shares as unknown as Json[]).find(({ email }) => String(email) === made.people[2]?.email);
  await succeed(send(made.owner, "DELETE", `/api/shares/${third?.id}`));
  for (const path of [round, other])
    for (const person of [a, b]) await succeed(scene.estimate(person, path, made.optionIds[0], points(1)));
  await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
  await until(async () => (await countJobs(app.pool, "reveal-round")) === 0);
  expect(await scene.read(made.owner, other)).toMatchObject({ status: "open", answered: 2 });
});

test("a round of an estimation that was deleted waits, and goes on once it is restored", async () => {
  const made = await make(2);
  const round = await scene.open(made, { deadline: inMs(1_000) });
  await succeed(scene.estimate(made.people[0] as TestUser, round, made.optionIds[0], points(1)));
  await succeed(send(made.owner, "DELETE", made.path));
  await app.clock.advance(1_000);
  await look();
  await succeed(send(made.owner, "POST", `${made.path}/restore-deleted`));
  await succeed(scene.estimate(made.people[1] as TestUser, round, made.optionIds[0], points(1)));
  await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
});

test("nobody is mailed about a round that is over by then, or whose mails they have turned off", async () => {
  const made = await make(2);
  const [a, b] = made.people as [TestUser, TestUser];
  await succeed(send(a, "PATCH", "/api/auth/me/notifications", { roundAsked: false, roundRevealed: false }));
  const round = await scene.open(made);
  for (const person of [a, b]) await succeed(scene.estimate(person, round, made.optionIds[0], points(1)));
  await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
  expect(await subjectsTo(a)).toEqual([]);
  expect((await subjectsTo(b)).at(-1)).toBe("Estimates revealed: Checkout");
});

test("who was asked so often that the round is not mailed gets no mail of its deadline and its end either", async () => {
  const asked = await make(2);
  const address = `often-${asked.id.slice(4, 12)}@example.com`;
  const participants = [...asked.people.map(({ userId }) => userId), address];
  const most = limits.reviewMailsPerSenderAndDay;
  for (let n = 1; n < most; n++) await scene.open(asked, { participants });
  const deadline = inMs(3 * DAY_MS);
  const last = [
    await scene.open(asked, { participants, deadline }),
    await scene.open(asked, { participants, deadline }),
  ];
  const { rows } = await app.pool.query(
    "select count(*) filter (where is_mailed)::int as mailed, count(*)::int as all from round_participants where email = $1",
    [address],
  );
  expect(rows).toEqual([{ mailed: most, all: most + 1 }]);
  const made = await later(asked, 2 * DAY_MS);
  await scene.run("remind-of-rounds");
  const [a] = made.people as [TestUser];
  // Who has answered before the mail is written would get none.
  await mailsTo(a);
  for (const round of last)
    for (const person of made.people) await succeed(scene.estimate(person, round, made.optionIds[0], points(1)));
  for (const round of last) await succeed(scene.reveal(made.owner, round));
  expect(await subjectsTo(a)).toEqual([
    ...Array.from({ length: most }, () => "Please estimate: Checkout"),
    ...["A day left to estimate: Checkout", "Estimates revealed: Checkout"],
  ]);
  expect((await kindsOf(a)).filter((kind) => kind === "round.revealed").length).toBe(2);
});

test("a round that cannot be revealed does not hold up another one", async () => {
  const [broken, made] = [await make(3), await make(3)];
  const first = await scene.open(broken, { deadline: inMs(1_000) });
  const round = await scene.open(made, { deadline: inMs(2_000) });
  // Two of three answered, which is enough at the deadline.
  for (const [one, path] of [
    [broken, first],
    [made, round],
  ] as const)
    for (const person of one.people.slice(1)) await succeed(scene.estimate(person, path, one.optionIds[0], points(1)));
  const roundId = first.split("/").at(-1);
  await app.pool.query("update round_participants set answers = '5' where round_id = $1", [roundId]);
  await app.clock.advance(2_000);
  await scene.run("reveal-due-rounds");
  await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
  expect(await scene.read(broken.owner, first)).toMatchObject({ status: "open" });
  await until(async () => (await countJobs(app.pool, "reveal-round")) === 1);
  // It is tried again, until it can be.
  await app.pool.query("update round_participants set answers = '[[1,1,1]]' where round_id = $1", [roundId]);
  await makeJobsDue(app.pool);
  await until(async () => String((await scene.read(broken.owner, first)).status) === "revealed");
});

test("a round reveals itself though the last one who is missing lost access, was disabled or is erased", async () => {
  const lose = async ({ owner, path, people: [person] }: RoundScene) => {
    const { shares } = await succeed(send(owner, "GET", `${path}/shares`));
    const share = (shares as unknown as Json[]).find(({ email }) => String(email) === person?.email);
    await succeed(send(owner, "DELETE", `/api/shares/${share?.id}`));
  };
  const disable = async ({ people: [person] }: RoundScene) =>
    void (await app.pool.query("update users set disabled_at = now() where id = $1", [person?.userId]));
  const erase = async ({ people: [person] }: RoundScene) =>
    void (await erasePerson(app.services.pool, app.services, {
      ...{ email: person?.email ?? "", to: undefined, isTrial: false, actorId: null, isAllowed: () => true },
    }));
  for (const end of [lose, disable, erase]) {
    const made = await make(3);
    const round = await scene.open(made);
    for (const person of made.people.slice(1))
      await succeed(scene.estimate(person, round, made.optionIds[0], points(1)));
    await look();
    await end(made);
    await look();
    expect(await scene.read(made.owner, round)).toMatchObject({ status: "open" });
    await app.clock.advance(3_599_999);
    await look();
    const owner = await signIn(made.owner);
    expect(await scene.read(owner, round)).toMatchObject({ status: "open" });
    await app.clock.advance(1);
    await look();
    expect(await scene.read(owner, round)).toMatchObject({ status: "revealed", answered: 2 });
  }
});

test("who is asked by id, and by an address that the same person accepted, is one", async () => {
  const made = await make(2);
  const [a, b] = made.people as [TestUser, TestUser];
  const email = `second-${made.id.slice(4, 12)}@example.com`;
  const round = await scene.open(made, { participants: [email, a.userId, b.userId] });
  await app.pool.query("update shares set user_id = null where estimation_id = $1 and user_id = $2", [
    made.id,
    a.userId,
  ]);
  await app.pool.query("update shares set user_id = $1, accepted_at = now() where email = $2", [a.userId, email]);
  expect((await scene.read(made.owner, round)).participants).toMatchObject(
    [a, b].map(({ userId }) => ({ user: { id: userId }, email: null })),
  );
  for (const person of [a, b]) await succeed(scene.estimate(person, round, made.optionIds[0], points(1)));
  expect((await succeed(send(a, "GET", "/api/rounds"))).rounds).toEqual([]);
  expect((await succeed(send(a, "GET", "/api/reviews/waiting"))).waiting).toMatchObject({ rounds: 0 });
  await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
  expect(await scene.read(made.owner, round)).toMatchObject({ answered: 2 });
});
