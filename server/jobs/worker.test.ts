import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { start, type TestApp, until } from "../../tests/harness.ts";
import { countJobs, makeJobsDue } from "../../tests/support/jobs.ts";
import { addJob, addJobs } from "./add-job.ts";
import { defineJob, Interrupted, type JobRow, runJob, runPeriodically } from "./job.ts";
import { createWorker, type Worker } from "./worker.ts";

interface Note {
  readonly text: string;
}
const note = defineJob<Note>("note");

let app: TestApp;
const workers: Worker[] = [];
const noted: string[] = [];
const noting = runJob(note, async ({ text }) => void noted.push(text));

beforeAll(async () => {
  app = await start();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await app.pool.query("delete from graphile_worker._private_jobs");
  noted.length = 0;
});

async function work(...jobs: JobRow[]): Promise<Worker> {
  const services = { pool: app.services.pool, log: pino({ level: "silent" }) };
  const worker = createWorker({ services, jobs, connection: app.connection, concurrency: 20, drainMs: 200 });
  workers.push(worker);
  await worker.start();
  return worker;
}

describe("a job", () => {
  test("runs once the change that added it is committed", async () => {
    await work(noting);
    await app.services.pool.transaction(async (tx) => {
      await addJob(tx, note, { text: "one" });
      await addJobs(tx, note, [{ text: "two" }, { text: "three" }]);
    });
    await until(() => noted.length === 3);
    expect(noted.toSorted()).toEqual(["one", "three", "two"]);
    await until(async () => (await countJobs(app.pool, "note")) === 0);
  });

  test("that waits under the name of an earlier version runs, and a periodic one goes on under its new name only", async () => {
    await addJob(app.services.pool, defineJob<Note>("old-note"), { text: "old" });
    await addJob(app.services.pool, defineJob<Note>("old-tick"), { text: "" });
    let ticks = 0;
    const tick = runPeriodically("tick", 3_600, async () => {
      ticks += 1;
    });
    await work({ ...noting, formerName: "old-note" }, { ...tick, formerName: "old-tick" });
    await until(async () => noted.length === 1 && ticks === 2);
    const left = () => Promise.all(["old-note", "old-tick", "tick"].map((name) => countJobs(app.pool, name)));
    // The next run is in the queue before the one before it has left.
    await until(async () => String(await left()) === "0,0,1");
    expect(noted).toEqual(["old"]);
  });

  test("does not exist where that change is rolled back", async () => {
    await work(noting);
    const failed = app.services.pool.transaction(async (tx) => {
      await addJob(tx, note, { text: "never" });
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow();
    await addJob(app.services.pool, note, { text: "after" });
    await until(() => noted.length > 0);
    expect(noted).toEqual(["after"]);
  });

  test("waits for its time", async () => {
    await work(noting);
    await addJob(app.services.pool, note, { text: "later" }, { delayMs: 60_000 });
    await addJob(app.services.pool, note, { text: "now" });
    await until(() => noted.includes("now"));
    expect(noted).toEqual(["now"]);
    await makeJobsDue(app.pool);
    await until(() => noted.includes("later"));
  });

  test("replaces one with the same key that has not started", async () => {
    for (const text of ["first", "second"]) {
      await addJob(app.services.pool, note, { text }, { delayMs: 60_000, jobKey: "only" });
    }
    await work(noting);
    await makeJobsDue(app.pool);
    await until(() => noted.length > 0);
    expect(noted).toEqual(["second"]);
  });

  test("of a queue waits for the one before it", async () => {
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    await work(
      runJob(note, async ({ text }) => {
        begun.push(text);
        if (text === "first") await gate.promise;
        noted.push(text);
      }),
    );
    for (const text of ["first", "second"]) await addJob(app.services.pool, note, { text }, { queue: "serial" });
    // The worker takes jobs in order, so it has passed over the second one.
    await addJob(app.services.pool, note, { text: "of no queue" });
    await until(() => begun.includes("first") && noted.includes("of no queue"));
    expect(begun).not.toContain("second");
    gate.resolve();
    await until(() => noted.includes("second"));
  });

  test("that throws runs again", async () => {
    let tries = 0;
    await work(
      runJob(note, async ({ text }) => {
        if (++tries === 1) throw new Error("not yet");
        noted.push(text);
      }),
    );
    await addJob(app.services.pool, note, { text: "again" });
    await until(() => tries === 1);
    await until(async () => {
      await makeJobsDue(app.pool);
      return noted.length === 1;
    });
  });
});

describe("a periodic job", () => {
  const periodic = (run: () => Promise<void>) => runPeriodically("tick", 60, run);

  test("runs at the start and again after its interval, one run at a time over all workers", async () => {
    let runs = 0;
    const tick = periodic(async () => void runs++);
    await work(tick);
    await until(() => runs === 1);
    await work(tick);
    await work(tick);
    await until(
      async () => (await app.pool.query("select from graphile_worker.jobs where locked_at is null")).rowCount === 1,
    );
    expect(runs).toBe(1);
    for (const expected of [2, 3]) {
      await makeJobsDue(app.pool);
      await until(() => runs === expected);
      await until(
        async () => (await app.pool.query("select from graphile_worker.jobs where locked_at is null")).rowCount === 1,
      );
    }
    // The job that has just ended is removed a moment after the next one exists.
    await until(async () => (await countJobs(app.pool, "tick")) === 1);
  });

  test("goes on after a run that failed", async () => {
    let runs = 0;
    await work(
      periodic(async () => {
        if (++runs === 1) throw new Error("no");
      }),
    );
    await until(() => runs === 1);
    await until(async () => {
      await makeJobsDue(app.pool);
      // The next run may have been made due as well.
      return runs >= 2;
    });
    await until(async () => (await countJobs(app.pool, "tick")) === 1);
  });
});

describe("a worker that stops", () => {
  test("lets running jobs end, and leaves nothing behind", async () => {
    const ending = Promise.withResolvers<void>();
    const worker = await work(
      runJob(note, async ({ text }) => {
        noted.push(`${text} begins`);
        await ending.promise;
        noted.push(`${text} ends`);
      }),
    );
    await addJob(app.services.pool, note, { text: "one" });
    await until(() => noted.length === 1);
    const stopping = worker.stop();
    await addJob(app.services.pool, note, { text: "two" });
    ending.resolve();
    await stopping;
    expect(noted).toEqual(["one begins", "one ends"]);
    const { rows } = await app.pool.query("select locked_by, attempts from graphile_worker.jobs");
    expect(rows).toEqual([{ locked_by: null, attempts: 0 }]);
    expect((await app.pool.query("select from worker_pools")).rowCount).toBe(0);
  });

  test("asks long jobs to end, and gives them back", async () => {
    const worker = await work(
      runJob(note, ({ text }, { signal }) => {
        noted.push(text);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Interrupted())));
      }),
    );
    await addJob(app.services.pool, note, { text: "long" });
    await until(() => noted.length === 1);
    await worker.stop();
    expect((await app.pool.query("select locked_by from graphile_worker.jobs")).rows).toEqual([{ locked_by: null }]);
  });

  test("abandons jobs that never end, and gives them back", async () => {
    const worker = await work(runJob(note, () => new Promise(() => void noted.push("endless"))));
    await addJob(app.services.pool, note, { text: "endless" });
    await until(() => noted.length === 1);
    await worker.stop();
    expect((await app.pool.query("select locked_by from graphile_worker.jobs")).rows).toEqual([{ locked_by: null }]);
  });
});

test("a worker whose connections all break goes on, and keeps its jobs from the others", async () => {
  const ending = Promise.withResolvers<void>();
  let begun = 0;
  const row = runJob(note, async ({ text }) => {
    begun += 1;
    if (text === "long") await ending.promise;
    noted.push(text);
  });
  await work(row);
  await work(row);
  await addJob(app.services.pool, note, { text: "long" });
  await until(() => begun === 1);
  await app.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await until(() =>
    addJob(app.services.pool, note, { text: "after" })
      .then(() => true)
      .catch(() => false),
  );
  await until(() => noted.includes("after"));
  // Long enough for a check of the others, by which time the lock must be back.
  await until(async () => {
    const { rows } = await app.pool.query(
      "select count(*)::int as beats from worker_pools where seen_at > now() - interval '1 second'",
    );
    return rows[0].beats > 0;
  });
  ending.resolve();
  await until(() => noted.includes("long"));
  expect(begun).toBe(2);
});

test("a worker whose database cannot serve it reports that at its start, in bounded time", async () => {
  await app.pool.query("alter table worker_pools rename to elsewhere");
  try {
    const fault = await work(noting).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      message: expect.stringContaining("the worker cannot note"),
      cause: { code: "42P01" },
    });
  } finally {
    await app.pool.query("alter table elsewhere rename to worker_pools");
  }
});
