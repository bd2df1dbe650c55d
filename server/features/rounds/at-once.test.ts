import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { revealIfDue } from "./reveal.ts";
import { createScene, points } from "./testing/scene.ts";

const app = await start({ worker: true });
const scene = createScene(app);
const { send, succeed } = scene;

const countOf = async (table: string, condition: string, ...values: unknown[]) =>
  (await app.pool.query(`select count(*)::int as count from ${table} where ${condition}`, values)).rows[0]?.count;
const idOf = (round: string) => String(round.split("/").at(-1));

test("50 people save 500 estimates each at the same moment: none is refused, and none is lost", async () => {
  const made = await scene.make(limits.roundParticipants, limits.roundOptions);
  const round = await scene.open(made);
  const hoursOf = (person: number, option: number) => points(person, person + option, person + option + 1);
  const responses = await Promise.all(
    made.people.map((person, at) =>
      send(person, "POST", `${round}/estimates`, {
        estimates: made.optionIds.map((optionId, option) => ({ optionId, ...hoursOf(at, option) })),
      }),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
  const { rows } = await app.pool.query(
    `select user_id, option_id, optimistic, likely, pessimistic from round_estimates where round_id = $1`,
    [idOf(round)],
  );
  expect(rows.length).toBe(limits.roundParticipants * limits.roundOptions);
  const people = new Map(made.people.map(({ userId }, at) => [userId, at]));
  const options = new Map(made.optionIds.map((id, at) => [id, at]));
  const wrong = rows.filter(({ user_id, option_id, optimistic, likely, pessimistic }) => {
    const expected = hoursOf(people.get(user_id) ?? -1, options.get(option_id) ?? -1);
    return JSON.stringify({ optimistic, likely, pessimistic }) !== JSON.stringify(expected);
  });
  expect(wrong).toEqual([]);
});

test("a large round is revealed by hand", async () => {
  const made = await scene.make(10, limits.roundOptions);
  const round = await scene.open(made);
  await scene.estimateAll({ ...made, people: made.people.slice(1) }, round);
  await succeed(scene.reveal(made.owner, round));
  expect(await countOf("round_estimates", "round_id = $1", idOf(round))).toBe(9 * limits.roundOptions);
});

test("what one person saves in many requests at the same time is all there", async () => {
  const made = await scene.make(2, 40);
  const [person] = made.people as [TestUser];
  const round = await scene.open(made);
  const responses = await Promise.all(
    made.optionIds.map((optionId, at) => scene.estimate(person, round, optionId, points(at))),
  );
  expect(responses.map(({ status }) => status)).toEqual(made.optionIds.map(() => 200));
  const options = await scene.options(person, round);
  expect(options.map(({ yours }) => Number(yours?.hours?.likely))).toEqual(made.optionIds.map((_, at) => at));
});

test("by hand twice, because all are in, and at the deadline, all at the same moment, it is revealed once", async () => {
  const made = await scene.make(4, 2);
  const { owner, optionIds } = made;
  await succeed(
    send(owner, "POST", "/api/webhooks", { url: "https://hooks.example.com/once", events: ["round.revealed"] }),
  );
  const deadline = new Date(app.clock.now().getTime() + 1_000).toISOString();
  const round = await scene.open(made, { deadline });
  const [last, ...others] = made.people as [TestUser, ...TestUser[]];
  await scene.estimateAll({ ...made, people: others }, round);
  await app.clock.advance(1_000);
  const [first, second, answer] = await Promise.all([
    scene.reveal(owner, round),
    scene.reveal(owner, round),
    send(last, "POST", `${round}/estimates`, { estimates: optionIds.map((optionId) => ({ optionId, ...points(1) })) }),
    revealIfDue(app.services, { roundId: idOf(round) }),
    revealIfDue(app.services, { roundId: idOf(round) }),
    scene.run("reveal-due-rounds"),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  // Either it was in time, and is shown, or it was refused.
  const shown = await countOf("round_estimates", "round_id = $1 and user_id = $2", idOf(round), last.userId);
  expect([answer.status, shown]).toEqual(answer.status === 200 ? [200, 2] : [409, 0]);
  await until(async () => (await countJobs(app.pool, "reveal-round")) === 0);
  expect(await countOf("round_estimates", "round_id = $1 and user_id <> $2", idOf(round), last.userId)).toBe(6);
  expect(
    await countOf("webhook_events", "name = 'round.revealed' and position($1 in data::text) > 0", idOf(round)),
  ).toBe(1);
  expect(
    await countOf("activity_entries", "kind = 'round.revealed' and subject::json->>'roundId' = $1", idOf(round)),
  ).toBe(1);
  expect(
    await countOf("notifications", "kind = 'round.revealed' and subject::json->>'roundId' = $1", idOf(round)),
  ).toBe(4);
});

test("the last two answer at the same moment, and it is revealed by itself, in the name of who opened it", async () => {
  for (let time = 0; time < 5; time++) {
    const made = await scene.make(2, 1);
    const round = await scene.open(made);
    const responses = await Promise.all(
      made.people.map((person) => scene.estimate(person, round, made.optionIds[0], points(1))),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    await until(async () => String((await scene.read(made.owner, round)).status) === "revealed");
    const { activity } = await succeed(send(made.owner, "GET", `${made.path}/activity`));
    expect(activity?.[0]).toMatchObject({ kind: "round.revealed", person: { id: made.owner.userId } });
  }
});

test("two who adopt at the same moment both do, one after the other", async () => {
  const made = await scene.make(2, 2);
  const round = await scene.open(made);
  await scene.estimateAll(made, round);
  await succeed(scene.reveal(made.owner, round));
  const responses = await Promise.all(
    made.optionIds.map((optionId) => send(made.owner, "POST", `${round}/adopt`, { optionId, from: "pool" })),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  const { adopted } = await succeed(send(made.owner, "GET", `${made.path}/rounds/adopted`));
  expect(adopted?.length).toBe(2);
});
