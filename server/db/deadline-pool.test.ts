import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { start, until } from "../../tests/harness.ts";
import { DeadlineExceeded, withinDeadline } from "../platform/deadline.ts";
import { createPool } from "./database.ts";

const app = await start();
const MS = 1_000;

/** A pool whose only connection is taken, and its holder. */
async function takenPool() {
  const pool = createPool(app.connection, pino({ level: "silent" }), 1);
  onTestFinished(() => pool.end());
  return { pool, holder: await pool.connect() };
}

test("a connection that arrives for work that was given up goes back to the pool, and the work goes no further", async () => {
  const { pool, holder } = await takenPool();
  const clock = createFakeClock();
  const steps: string[] = [];
  const outcome = Promise.withResolvers<unknown>();
  const work = async () => {
    steps.push("asked");
    // Nobody gives back what arrives here.
    await pool.connect().then(() => steps.push("taken"), outcome.resolve);
    return await new Promise<never>(() => {});
  };
  const given = withinDeadline(clock, MS, work).catch((error: unknown) => error);
  await until(() => pool.waitingCount === 1);
  await clock.advance(MS);
  expect(await given).toBeInstanceOf(DeadlineExceeded);
  holder.release();
  expect(await outcome.promise).toBeInstanceOf(DeadlineExceeded);
  expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0]);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  expect(steps).toEqual(["asked"]);
});

test("work that was given up gets no connection later", async () => {
  const { pool, holder } = await takenPool();
  const clock = createFakeClock();
  const deadlineOver = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<unknown>();
  const work = async () => {
    await deadlineOver.promise;
    await pool.connect().then(() => outcome.resolve("taken"), outcome.resolve);
  };
  const given = withinDeadline(clock, MS, work).catch((error: unknown) => error);
  await clock.advance(MS);
  await given;
  holder.release();
  deadlineOver.resolve();
  expect(await outcome.promise).toBeInstanceOf(DeadlineExceeded);
  expect(pool.idleCount).toBe(1);
});
