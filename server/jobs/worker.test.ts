import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { start, type TestApp, until } from "../../tests/harness.ts";
import { countJobs, makeJobsDue } from "../../tests/support/jobs.ts";
import { defineJob, Interrupted, type JobRow, LeaseLost, runJob, runPeriodically } from "./job.ts";
import { addJob, endRun, renewLease, sweepJobs, sweepLeases, takeJob } from "./job-store.ts";
import { createWorker, type Worker } from "./worker.ts";

interface Note {
  readonly text: string;
}
const note = defineJob<Note>("note");

let app: TestApp;
const workers: Worker[] = [];
const noted: string[] = [];
const ended: string[] = [];
const noting = runJob(note, async ({ text }) => void noted.push(text));

beforeAll(async () => {
  app = await start();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await app.pool.query("delete from job_leases");
  noted.length = 0;
  ended.length = 0;
});

async function work(...jobs: JobRow[]): Promise<Worker> {
  const services = { pool: app.services.pool, log: pino({ level: "silent" }) };
  const worker = createWorker({
    services,
    onEnd: (name, outcome) => ended.push(`${name} ${outcome}`),
    jobs,
    connection: app.connection,
    concurrency: 20,
    drainMs: 200,
    renewMs: 100,
  });
  workers.push(worker);
  await worker.start();
  return worker;
}

describe("a job", () => {
  test("runs once the change that added it is committed", async () => {
    await work(noting);
    await app.services.pool.transaction(async (tx) => {
      await addJob(tx, note, { text: "one" });
      for (const text of ["two", "three"]) await addJob(tx, note, { text });
    });
    await until(() => noted.length === 3);
    expect(noted.toSorted()).toEqual(["one", "three", "two"]);
    await until(async () => (await countJobs(app.pool, "note")) === 0);
  });

  test("does not exist if that change is rolled back", async () => {
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

  test("runs when it is due, not earlier", async () => {
    await work(noting);
    await addJob(app.services.pool, note, { text: "later" }, { delayMs: 60_000 });
    await addJob(app.services.pool, note, { text: "now" });
    await until(() => noted.includes("now"));
    expect(noted).toEqual(["now"]);
    await makeJobsDue(app.pool);
    await until(() => noted.includes("later"));
  });

  test("replaces a job with the same key that has not started", async () => {
    for (const text of ["first", "second"]) {
      await addJob(app.services.pool, note, { text }, { delayMs: 60_000, jobKey: "only" });
    }
    await work(noting);
    await makeJobsDue(app.pool);
    await until(() => noted.length > 0);
    expect(noted).toEqual(["second"]);
  });

  test("with a key never runs twice at the same time; if it is added while it runs, it runs once more afterwards", async () => {
    const gate = Promise.withResolvers<void>();
    const row = runJob(note, async ({ text }) => {
      noted.push(text);
      if (text === "first") await gate.promise;
    });
    await work(row);
    await work(row);
    await addJob(app.services.pool, note, { text: "first" }, { jobKey: "only" });
    await until(() => noted.includes("first"));
    for (const text of ["second", "third"]) await addJob(app.services.pool, note, { text }, { jobKey: "only" });
    // Workers take jobs in order, so they have passed over those.
    await addJob(app.services.pool, note, { text: "of no key" });
    await until(() => noted.includes("of no key"));
    expect(noted).not.toContain("third");
    gate.resolve();
    await until(() => noted.includes("third"));
    await until(async () => (await countJobs(app.pool, "note")) === 0);
    expect(noted).not.toContain("second");
  });

  test("that is added again by a change which commits while its run ends runs once more", async () => {
    const lease = { key: "only", token: "run" };
    for (const ending of [{}, { againMs: 3_600_000 }, { fault: "no", againMs: 3_600_000 }]) {
      await addJob(app.services.pool, note, { text: "first" }, { jobKey: "only" });
      await takeJob(app.services.pool, lease);
      const committing = Promise.withResolvers<void>();
      const added = Promise.withResolvers<void>();
      const adding = app.services.pool.transaction(async (tx) => {
        await addJob(tx, note, { text: "second" }, { jobKey: "only" });
        added.resolve();
        await committing.promise;
      });
      await added.promise;
      const end = endRun(app.services.pool, lease, ending);
      await until(async () => (await app.pool.query("select from pg_locks where not granted")).rowCount === 1);
      committing.resolve();
      await Promise.all([adding, end]);
      const { rows } = await app.pool.query("select payload, lease, again, due_at <= now() as due from job_leases");
      expect(rows).toEqual([{ payload: { text: "second" }, lease: null, again: false, due: true }]);
      const queued = await app.pool.query("select run_at <= now() as due from graphile_worker.jobs where key = 'only'");
      expect(queued.rows).toEqual([{ due: true }]);
      await app.pool.query("with gone as (delete from job_leases) select graphile_worker.remove_job('only')");
    }
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

test("the ends of runs are told: done, failed, or given up", async () => {
  const failing = defineJob<object>("failing", { maxRuns: 2 });
  await work(
    noting,
    runJob(failing, async () => Promise.reject(new Error("no"))),
  );
  await addJob(app.services.pool, note, { text: "one" });
  await addJob(app.services.pool, failing, {});
  await until(async () => {
    await makeJobsDue(app.pool);
    return ended.length === 3;
  });
  expect(ended.toSorted()).toEqual(["failing failed", "failing given_up", "note done"]);
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
    await until(async () => (await app.pool.query("select from job_leases where lease is null")).rowCount === 1);
    expect(runs).toBe(1);
    for (const expected of [2, 3]) {
      await makeJobsDue(app.pool);
      await until(() => runs === expected);
      await until(async () => (await app.pool.query("select from job_leases where lease is null")).rowCount === 1);
    }
    expect(await countJobs(app.pool, "tick")).toBe(1);
  });

  test("continues after a run that failed", async () => {
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
    const { rows } = await app.pool.query("select payload, lease, runs from job_leases");
    expect(rows).toEqual([{ payload: { text: "two" }, lease: null, runs: 0 }]);
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
    expect((await app.pool.query("select lease, runs from job_leases")).rows).toEqual([{ lease: null, runs: 0 }]);
    await work(noting);
    await until(() => noted.length === 2);
  });

  test("abandons jobs that never end; they run again when their lease has ended", async () => {
    const worker = await work(runJob(note, () => new Promise(() => void noted.push("endless"))));
    await addJob(app.services.pool, note, { text: "endless" });
    await until(() => noted.length === 1);
    await worker.stop();
    // A stop in order is no failure of the job, of which it has few.
    expect((await app.pool.query("select runs from job_leases")).rows).toEqual([{ runs: 0 }]);
    await work(noting);
    await app.pool.query("update job_leases set leased_until = now()");
    expect(await sweepJobs(app.services.pool, 60_000)).toBe(1);
    await until(() => noted.length === 2);
  });
});

describe("a run that has lost its lease", () => {
  test("is asked to end, and an error that it throws then does not count", async () => {
    const ended = Promise.withResolvers<unknown>();
    await work(
      runJob(note, ({ text }, { signal }) => {
        noted.push(text);
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            ended.resolve(signal.reason);
            reject(new Error("cut"));
          });
        });
      }),
    );
    await addJob(app.services.pool, note, { text: "one" });
    await until(() => noted.length === 1);
    await app.pool.query("update job_leases set lease = 'later', runs = 2");
    expect(await ended.promise).toBeInstanceOf(LeaseLost);
    expect((await app.pool.query("select lease, runs, last_error from job_leases")).rows).toEqual([
      { lease: "later", runs: 2, last_error: null },
    ]);
  });
});

describe("a sweep", () => {
  const hold = () => runJob(note, () => new Promise(() => void noted.push("held")));

  test("adds no job whose lease has not ended, so that no job runs twice at the same time", async () => {
    await work(hold());
    await addJob(app.services.pool, note, { text: "one" });
    await until(() => noted.length === 1);
    expect([await sweepJobs(app.services.pool, 0), await sweepLeases(app.services.pool)]).toEqual([0, 0]);
  });

  test("of leases adds jobs again whose lease has ended, and leaves those that wait to be taken", async () => {
    for (const text of ["held", "waiting", "later"]) await addJob(app.services.pool, note, { text }, { jobKey: text });
    for (const key of ["held", "later"]) await takeJob(app.services.pool, { key, token: key });
    expect(await sweepLeases(app.services.pool)).toBe(0);
    await app.pool.query("update job_leases set leased_until = now() where lease is not null");
    await app.pool.query("update job_leases set due_at = now() + interval '1 hour' where key = 'later'");
    expect(await sweepLeases(app.services.pool, ["note"])).toBe(1);
    await app.pool.query("select graphile_worker.remove_job(key) from job_leases");
    expect(await sweepLeases(app.services.pool)).toBe(1);
    // Others may be left of the tests before, whose workers have not given them back yet.
    const { rows } = await app.pool.query(
      "select key from graphile_worker.jobs where key in ('held', 'waiting', 'later')",
    );
    expect(rows).toEqual([{ key: "held" }]);
    await app.pool.query("select graphile_worker.remove_job(key) from job_leases");
  });

  test("adds jobs again that a worker took from the queue without leasing them", async () => {
    await addJob(app.services.pool, note, { text: "lost" });
    await app.pool.query("select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))");
    await work(noting);
    expect(await sweepJobs(app.services.pool, 60_000)).toBe(0);
    await app.pool.query("update job_leases set due_at = now() - interval '61 s' where name = 'note'");
    expect(await sweepJobs(app.services.pool, 60_000)).toBe(1);
    await until(() => noted.includes("lost"));
  });

  test("keeps the order of the jobs that it adds again", async () => {
    for (const text of ["old", "new"]) await addJob(app.services.pool, note, { text }, { jobKey: text });
    await app.pool.query(
      "update job_leases set due_at = now() - case key when 'old' then interval '1 hour' else interval '2 minutes' end",
    );
    expect(await sweepJobs(app.services.pool, 60_000)).toBe(2);
    const { rows } = await app.pool.query(
      "select key from graphile_worker.jobs where key in ('old', 'new') order by run_at",
    );
    expect(rows.map(({ key }) => key)).toEqual(["old", "new"]);
    await app.pool.query("select graphile_worker.remove_job(key) from job_leases");
  });

  test("gives up a job that ended its process in each of its runs", async () => {
    await addJob(app.services.pool, note, { text: "deadly" }, { jobKey: "deadly" });
    const { rowCount } = await app.pool.query(
      "update job_leases set runs = 25, lease = 'gone', leased_until = now() - interval '1 second'",
    );
    expect(rowCount).toBe(1);
    await work(noting);
    await until(async () => (await countJobs(app.pool, "note")) === 0);
    expect(noted).toEqual([]);
  });

  test("a run that was paused beyond its lease ends nothing that another run holds", async () => {
    const lease = { key: "a", token: "former" };
    await addJob(app.services.pool, note, { text: "one" }, { jobKey: "a" });
    expect(await takeJob(app.services.pool, lease)).toMatchObject({ name: "note", run: 1 });
    await app.pool.query("update job_leases set leased_until = now()");
    expect(await takeJob(app.services.pool, { key: "a", token: "later" })).toMatchObject({ run: 2 });
    expect(await renewLease(app.services.pool, lease)).toBe(false);
    await endRun(app.services.pool, lease);
    expect((await app.pool.query("select lease from job_leases")).rows).toEqual([{ lease: "later" }]);
  });
});

test("a worker whose connections all break continues, and no other worker runs its jobs", async () => {
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
  ending.resolve();
  await until(() => noted.includes("long"));
  expect(begun).toBe(2);
});

test("a worker whose database cannot serve it reports that at its start", async () => {
  await app.pool.query("alter table job_leases rename to elsewhere");
  try {
    const fault = await work(runPeriodically("tick", 60, async () => {})).catch((error: unknown) => error);
    expect(fault).toMatchObject({ cause: { code: "42P01" } });
  } finally {
    await app.pool.query("alter table elsewhere rename to job_leases");
  }
});
