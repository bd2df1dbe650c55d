import { beforeEach, describe, expect, test } from "vitest";
import { until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { setStage } from "./testing/stage.ts";

const SPACING_MS = 1_000;
const { app, fake, connection, estimate, call, goOn } = await setStage({
  config: { githubWritesPerMinute: 60_000 / SPACING_MS },
});
const CREATE = /^POST .*\/issues$/;
const UPDATE = /^PATCH .*\/issues\/\{issue_number\}$/;
const LIST = /^GET .*\/issues$/;

/** The writes that reached GitHub. */
const writes = () => fake.asked.filter(({ operation }) => !operation.startsWith("GET "));
const creations = () => writes().filter(({ operation }) => CREATE.test(operation));

/** Lets the time go on until GitHub holds back the response to a request. */
const untilHeld = () =>
  until(async () => {
    if (fake.asked.at(-1)?.fault === "slow") return true;
    await goOn();
    return null;
  });

beforeEach(() => {
  fake.repository.issues.length = 0;
  fake.asked.length = 0;
  return () => {
    fake.release();
    expect(fake.violations).toEqual([]);
    expect(fake.faults.left()).toBe(0);
    expect(fake.writesAtOnce()).toBeLessThanOrEqual(1);
  };
});

describe("the pace of a connection", () => {
  test("is shared by two exports that are under way at the same time, and both make all issues", async () => {
    const [one, two] = [await estimate([2]), await estimate([2])];
    fake.faults.next("slow", CREATE);
    const first = await one.begin();
    await untilHeld();
    const second = await two.begin();
    const stored = async (and: string, ...values: unknown[]) =>
      (await app.pool.query(`select from export_runs where id = $1 and lease is null and ${and}`, [second, ...values]))
        .rows.length > 0;
    await until(() => stored("phase = 'prepare' and prepared is not null"));
    const before = writes().length;
    await app.clock.advance(10 * SPACING_MS);
    // It asks for its turn, and does not get it: the write of the other one is under way.
    await until(async () => {
      await makeJobsDue(app.pool);
      return stored("updated_at >= $2", app.clock.now());
    });
    expect(writes()).toHaveLength(before);
    fake.release();
    for (const run of [await one.finish(first), await two.finish(second)])
      expect(run).toMatchObject({ status: "completed", progress: { total: 3, created: 3, failed: 0 } });
    expect(fake.repository.issues).toHaveLength(6);
    const times = writes().map(({ at }) => at.getTime());
    const gaps = times.slice(1).map((time, at) => time - Number(times[at]));
    expect(gaps.filter((gap) => gap < SPACING_MS)).toEqual([]);
    const { rows } = await app.pool.query("select held_by from connection_paces where connection_id = $1", [
      connection,
    ]);
    expect(rows).toEqual([{ held_by: null }]);
  });

  test("determines when an export will end, counting only issues that are to be made, placed or changed", async () => {
    const { path, tasks, begin, read, finish } = await estimate([2]);
    /** Holds an export in a write; returns the writes after this one for which it leaves time. */
    const writesExpected = async (operation: RegExp) => {
      fake.faults.next("slow", operation);
      const exportId = await begin();
      await untilHeld();
      const { expectedEndAt } = await read(exportId);
      const leftMs = Date.parse(String(expectedEndAt)) - app.clock.now().getTime();
      fake.release();
      expect(await finish(exportId)).toMatchObject({ status: "completed", expectedEndAt: null });
      return leftMs / SPACING_MS;
    };
    const about = (expected: number) => [expected, expected + 1];
    // Two more issues, and both are placed below the first one.
    expect(about(4)).toContain(await writesExpected(CREATE));
    const [group] = await tasks();
    await call("PUT", `${path}/tasks/${group?.id}`, { title: "Renamed" });
    expect(about(0)).toContain(await writesExpected(UPDATE));
  });
});

test("a look-up that GitHub refuses makes only its own task fail, and nothing is sent for it", async () => {
  const { id, exported } = await estimate([1, 1]);
  fake.faults.next("reset_after", CREATE);
  // As where a list has more pages than GitHub gives.
  fake.faults.next("invalid", LIST);
  const { id: exportId, run, items } = await exported();
  expect(run).toMatchObject({ status: "partial", progress: { total: 4, created: 3, failed: 1 } });
  expect(items.map(({ outcome }) => outcome)).toEqual(["failed", "created", "created", "created"]);
  expect(items[0]?.reason).toContain("Nothing is sent before it can be looked for.");
  expect(creations()).toHaveLength(4);
  const { rows } = await app.pool.query(
    "select state, sends, task_id from export_ledger where estimation_id = $1 and state <> 'created'",
    [id],
  );
  expect(rows).toEqual([{ state: "unknown", sends: 1, task_id: items[0]?.taskId }]);
  // The next export looks for it first, and finds it.
  const again = await exported({ retryOf: exportId });
  expect(again.run).toMatchObject({ status: "completed", progress: { total: 1, created: 1 } });
  expect(creations()).toHaveLength(4);
  expect(fake.repository.issues).toHaveLength(4);
});

test("a process that has lost the run after it stored what it is about to send sends nothing", async () => {
  const { id, begin, finish } = await estimate([1]);
  // In the moment in which the intent is committed, another process takes the run.
  await app.pool.query(`
    create function lose_run() returns trigger language plpgsql as $$ begin
      update export_runs set lease = lease || 'x' where estimation_id = new.estimation_id;
      return null;
    end $$;
    create constraint trigger lose_run after insert or update on export_ledger deferrable initially deferred
      for each row when (new.state = 'sending') execute function lose_run()`);
  const exportId = await begin();
  await until(async () => {
    const { rows } = await app.pool.query("select state from export_ledger where estimation_id = $1", [id]);
    if (rows.some(({ state }) => state !== "sending")) return true;
    await goOn();
    return null;
  });
  expect(creations()).toEqual([]);
  await app.pool.query("drop trigger lose_run on export_ledger");
  expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { created: 2, failed: 0 } });
  expect(creations()).toHaveLength(2);
  expect(fake.repository.issues).toHaveLength(2);
});
