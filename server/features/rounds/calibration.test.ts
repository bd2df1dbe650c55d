import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, type TestUser } from "../../../tests/harness.ts";
import { createScene, points, type RoundScene } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
const { send, succeed } = scene;

const calibration = async (user: TestUser, by: string) =>
  (await succeed(send(user, "GET", `/api/suggestions/accuracy?by=${by}`))).calibration;

/** Generates the tasks, and finishes each after so many hours. */
async function finish({ owner, path }: RoundScene, hours: number): Promise<void> {
  const { nodes } = (await succeed(send(owner, "GET", `${path}/tree`))).tree as unknown as { nodes: Json[] };
  expect(nodes.length).toBeGreaterThan(0);
  await succeed(send(owner, "POST", `${path}/tasks/generate`));
  await app.pool.query("update tasks set actual_hours = $1, done_at = $2 where estimation_id = $3", [
    ...[hours, app.clock.now(), path.split("/").at(-1)],
  ]);
  await app.pool.query(
    `insert into task_totals (estimation_id, revision, finished, working, working_finished, actual_hours)
     select estimation_id, 1, count(*), 0, 0, 0 from tasks where estimation_id = $1 group by estimation_id
     on conflict (estimation_id) do update set finished = excluded.finished`,
    [path.split("/").at(-1)],
  );
}

test("everybody reads how their own estimates held, the owner from five people and thirty tasks on, and nobody else", async () => {
  const made = await scene.make(limits.calibratedPeople, limits.calibratedTasks);
  const [first, second] = made.people as [TestUser, TestUser];
  const round = await scene.open(made);
  await scene.estimateAll(made, round, points(2, 4, 8));
  await succeed(scene.reveal(made.owner, round));
  expect(await calibration(first, "me")).toMatchObject({ people: 0, ratio: { n: 0 } });
  await finish(made, 5);
  expect(await calibration(first, "me")).toMatchObject({
    people: 1,
    ratio: { n: 30, median: 1.25 },
    ranges: { n: 30, held: 30 },
  });
  expect(await calibration(second, "me")).toMatchObject({ people: 1, ratio: { n: 30, median: 0.625 } });
  const all = await calibration(made.owner, "people");
  expect(all).toMatchObject({ people: limits.calibratedPeople, ratio: { n: 150 } });
  expect(JSON.stringify(all)).not.toMatch(/usr_/);
  expect(await calibration(first, "people")).toBeNull();
  expect(await calibration(made.owner, "me")).toMatchObject({ people: 0 });
  const plain = await succeed(send(first, "GET", "/api/suggestions/accuracy"));
  expect(plain).not.toHaveProperty("calibration");
  // Hours of an example are invented.
  const mark = (isExample: boolean) =>
    app.pool.query("update estimations set is_example = $1 where id = $2", [isExample, made.path.split("/").at(-1)]);
  await mark(true);
  expect(await calibration(first, "me")).toMatchObject({ ratio: { n: 0 } });
  expect(await calibration(made.owner, "people")).toBeNull();
  await mark(false);

  // One task less, and one person less, is too little.
  await app.pool.query(
    "update tasks set done_at = null where id = (select min(id) from tasks where option_id is not null)",
  );
  expect(await calibration(made.owner, "people")).toBeNull();
  await app.pool.query("update tasks set done_at = now()");
  await app.pool.query("delete from round_estimates where user_id = $1", [first.userId]);
  expect(await calibration(made.owner, "people")).toBeNull();
});

test("the last round of a person counts, in hours of all that the quantities make; anonymous rounds and lost access do not", async () => {
  const made = await scene.make(3, 1);
  const [first] = made.people as [TestUser];
  await succeed(send(made.owner, "PATCH", `${made.path}/tree/options/${made.optionIds[0]}`, { quantity: 3 }));
  const estimate = async (hours: number, body: object = {}) => {
    const round = await scene.open(made, body);
    for (const person of made.people)
      await succeed(scene.estimate(person, round, made.optionIds[0], points(hours, hours, hours + 1)));
    await succeed(scene.reveal(made.owner, round));
  };
  await estimate(9);
  await estimate(2);
  await estimate(7, { anonymous: true });
  await finish(made, 12);
  expect(await calibration(first, "me")).toMatchObject({ ratio: { n: 1, median: 2 } });
  const { shares } = await succeed(send(made.owner, "GET", `${made.path}/shares`));
  for (const { id } of shares as unknown as Json[]) await succeed(send(made.owner, "DELETE", `/api/shares/${id}`));
  expect(await calibration(first, "me")).toMatchObject({ ratio: { n: 0 } });
});
