import { expect, test } from "vitest";
import { until } from "../../../tests/harness.ts";
import { STEPS_OF_USER } from "./step-slots.ts";
import { setStage } from "./testing/stage.ts";

const LIMIT = STEPS_OF_USER;
const WAITING = 2;
const { app, fake, call, connect, estimate } = await setStage();

/** Counts the exports that a step works on, and those that the worker has looked at and given back. */
const countSteps = async () => {
  const { rows } = await app.pool.query(
    `select count(lease)::int as held, count(*) filter (where lease is null)::int as back
     from export_runs where status = 'running'`,
  );
  return rows[0] as { readonly held: number; readonly back: number };
};

/** Starts an export of another user, by their own connection. */
async function beginElsewhere(): Promise<void> {
  const other = await app.signUp();
  const { data } = await call("POST", "/api/estimations", { title: "Portal" }, other);
  const path = `/api/estimations/${data.estimation?.id}`;
  const nodes = [{ title: "All", kind: "group", options: [{ title: "Part", hours: 2 }] }];
  await call("PUT", `${path}/tree`, { nodes }, other);
  await call("POST", `${path}/tasks/generate`, undefined, other);
  const body = { target: "github", repository: fake.name, connectionId: await connect(other), dryRun: true };
  expect((await call("POST", `${path}/tasks/export`, body, other)).status).toBe(202);
}

test(`a slow tracker holds ${LIMIT} steps of a user's exports; further ones wait, and those of other users continue`, async () => {
  fake.faults.draw(1, 1, ["slow"]);
  const started: (() => Promise<unknown>)[] = [];
  for (let count = 0; count < LIMIT + WAITING; count += 1) {
    const { begin, finish } = await estimate([1]);
    const exportId = await begin({ dryRun: true });
    started.push(() => finish(exportId));
  }
  await until(async () => fake.asked.length + (await countSteps()).back === LIMIT + WAITING);
  expect(fake.asked).toHaveLength(LIMIT);
  await beginElsewhere();
  await until(() => fake.asked.length > LIMIT);
  fake.faults.draw(1, 0, []);
  // Requests that are held back only later have to be released, too.
  await until(async () => {
    fake.release();
    return (await countSteps()).held === 0;
  });
  for (const finish of started.slice(LIMIT)) expect(await finish()).toMatchObject({ status: "completed" });
});
