import { describe, expect, test } from "vitest";
import { actsMs, nextFor } from "../../../domain/exports/ledger.ts";
import { start } from "../../../tests/harness.ts";
import { entryOf, ledgerRows } from "./item-store.ts";
import { type NoIssue, storeIntent, storeLookUp, storeNoIssue } from "./ledger-store.ts";

const app = await start();
const owner = await app.signUp();
const SETTLE_MS = 120_000;
const ACTS_MS = actsMs(30);
const sentAt = new Date("2027-01-31T12:00:00.000Z");
const later = (ms: number) => new Date(sentAt.getTime() + ms);

/** A task whose issue was sent at `sentAt`, and whose response was lost at once. */
async function lost(taskId: string) {
  const stage = await sent(taskId);
  await storeNoIssue(app.services.pool, stage.run, { taskId, sends: 1, outcome: "lost" });
  return stage;
}

const intent = { pushed: {}, parentRef: null, isAnew: false };

/** A task whose issue is being sent since `sentAt`. */
async function sent(taskId: string) {
  const { pool } = app.services;
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const run = {
    id: "exp_1",
    estimationId: String(data.estimation?.id),
    destination: "here",
    target: "github",
  } as const;
  await storeIntent(pool, run, { ...intent, taskId, marker: "marker", sinceAt: sentAt }, sentAt);
  const read = async () => {
    const [row] = await ledgerRows(pool, run, [taskId]);
    if (!row) throw new Error("There is no row.");
    return row;
  };
  return {
    run,
    read,
    /** Stores a look-up that found nothing, as the job does that had read `row`. */
    store: (row: Awaited<ReturnType<typeof read>>, at: Date) =>
      storeLookUp(pool, run, row, {
        ...{ at: at.getTime(), trackerAt: at.getTime(), settleMs: SETTLE_MS, actsMs: ACTS_MS, progresses: false },
      }),
    next: async (now: Date) => nextFor(entryOf(await read()), now.getTime(), SETTLE_MS).do,
    send: (now: Date, by = "marker") => storeIntent(pool, run, { ...intent, taskId, marker: by, sinceAt: now }, now),
    end: (outcome: NoIssue, sends: number) => storeNoIssue(pool, run, { taskId, sends, outcome }),
  };
}

/** When a tracker that gives whole seconds certainly shows what was sent at `sentAt`. */
const SETTLED_MS = SETTLE_MS + 1_000;

test("the settle time begins when a request whose outcome was not stored can no longer have an effect", async () => {
  const { read, store } = await sent("task_1");
  await store(await read(), later(0));
  expect([(await read()).state, (await read()).settlesAt]).toEqual(["unknown", later(ACTS_MS + SETTLED_MS)]);
});

test("the outcome that the tracker has made an issue counts even after look-ups by others, but only for the last send", async () => {
  const { read, store, end, send, next } = await sent("task_1");
  await store(await read(), later(0));
  await end("made", 1);
  expect((await read()).state).toBe("made");
  expect(await send(later(0))).toBeNull();
  const again = await lost("task_2");
  for (const ms of [0, SETTLED_MS]) await again.store(await again.read(), later(ms));
  expect(await again.send(later(SETTLED_MS))).toBe(2);
  await again.end("made", 1);
  expect((await again.read()).state).toBe("sending");
  expect(await next(later(0))).toBe("look_up");
});

describe("a row remembers, for as long as its marker stays the same,", () => {
  /** A row that counts as absent after its first send. */
  const absent = async (taskId: string) => {
    const stage = await lost(taskId);
    for (const ms of [0, SETTLED_MS]) await stage.store(await stage.read(), later(ms));
    expect((await stage.read()).lookUps).toBe(2);
    return stage;
  };

  test("since when its issue may exist, and that duplicates are possible", async () => {
    const { read, send } = await absent("task_1");
    expect((await read()).unswept).toBe(false);
    await send(later(SETTLED_MS));
    expect(await read()).toMatchObject({ sends: 2, sinceAt: sentAt, unswept: true });
    await app.pool.query("update export_ledger set state = 'created', gone_at = now()");
    await send(later(2 * SETTLED_MS), "another");
    expect(await read()).toMatchObject({ sends: 3, sinceAt: later(2 * SETTLED_MS), unswept: false, lookUps: 0 });
  });

  test.each([
    ["not_sent", "unknown"],
    ["refused", "failed"],
  ] as const)("that an earlier send may have made one where a later one was %s", async (outcome, state) => {
    const { read, send, end } = await absent("task_1");
    await send(later(SETTLED_MS));
    await end(outcome, 2);
    expect(await read()).toMatchObject({ state, lookUps: 2 });
  });

  test("neither of them if the first request did not arrive", async () => {
    const { read, end, send } = await sent("task_1");
    await end("not_sent", 1);
    await send(later(1_000));
    expect(await read()).toMatchObject({ sends: 2, unswept: false, lookUps: 0 });
  });
});

describe("a look-up that found nothing counts once", () => {
  test("when it is stored again because the acknowledgement of the first time was lost", async () => {
    const { read, store, next } = await lost("task_1");
    const seen = await read();
    for (let time = 0; time < 3; time += 1) await store(seen, later(1_000));
    expect([(await read()).lookUps, await next(later(1_000))]).toEqual([1, "wait"]);
  });

  test("when a paused job stores it after another job has taken the run and done the same", async () => {
    const { read, store, next } = await lost("task_2");
    const paused = await read();
    await store(await read(), later(2_000));
    await store(paused, later(1_000));
    expect([(await read()).lookUps, await next(later(2_000))]).toEqual([1, "wait"]);
  });

  test("and a second one only if it began after the settle time", async () => {
    const { read, store, next } = await lost("task_3");
    await store(await read(), later(1_000));
    const settledMs = 1_000 + SETTLED_MS;
    await store(await read(), later(settledMs - 1));
    expect([(await read()).lookUps, await next(later(settledMs))]).toEqual([1, "wait"]);
    await store(await read(), later(settledMs));
    expect([(await read()).lookUps, await next(later(settledMs))]).toEqual([2, "send"]);
  });
});
