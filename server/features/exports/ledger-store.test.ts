import { describe, expect, test } from "vitest";
import { ACTS_MS, nextFor } from "../../../domain/exports/ledger.ts";
import { start } from "../../../tests/harness.ts";
import { ledgerRows } from "./item-store.ts";
import { storeIntent, storeLookUp, storeNoIssue } from "./ledger-store.ts";

const app = await start();
const owner = await app.signUp();
const SETTLE_MS = 120_000;
const sentAt = new Date("2027-01-31T12:00:00.000Z");
const later = (ms: number) => new Date(sentAt.getTime() + ms);

/** A task whose issue was sent at `sentAt`, and whose answer was lost at once. */
async function lost(taskId: string) {
  const stage = await sent(taskId);
  await storeNoIssue(app.services.pool, stage.run, { taskId, sends: 1, state: "unknown" }, sentAt);
  return stage;
}

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
  await storeIntent(pool, run, { taskId, marker: "marker", pushed: {}, parentRef: null }, sentAt);
  const read = async () => {
    const [row] = await ledgerRows(pool, run, [taskId]);
    if (!row) throw new Error("There is no row.");
    return row;
  };
  return {
    run,
    read,
    /** Stores a look-up that found nothing, as the job does that had read `row`. */
    store: (row: Awaited<ReturnType<typeof read>>, began: Date) =>
      storeLookUp(pool, run, row, { began, settleMs: SETTLE_MS }),
    next: async (now: Date) => {
      const row = await read();
      return nextFor({ ...row, sentAt: row.sentAt?.getTime() ?? null }, now.getTime(), SETTLE_MS).do;
    },
  };
}

describe("the settle time", () => {
  const intent = { taskId: "task_1", marker: "marker", pushed: {} };

  test.each([
    [30_000, 30_000],
    [ACTS_MS + 1, ACTS_MS],
  ])("counts from an outcome after %i ms, but from no later than a request can act", async (outcomeMs, fromMs) => {
    const { run, read, store } = await sent(intent.taskId);
    await storeNoIssue(app.services.pool, run, { taskId: intent.taskId, sends: 1, state: "unknown" }, later(outcomeMs));
    expect((await read()).sentAt).toEqual(later(fromMs));
    await store(await read(), later(fromMs));
    expect((await read()).sentAt).toEqual(later(fromMs));
  });

  test("counts from the last moment at which the request can act where nobody stored the outcome", async () => {
    const { read, store, next } = await sent(intent.taskId);
    await store(await read(), later(0));
    expect([(await read()).state, (await read()).sentAt]).toEqual(["unknown", later(ACTS_MS)]);
    expect(await next(later(ACTS_MS + SETTLE_MS - 1))).toBe("wait");
    expect(await next(later(ACTS_MS + SETTLE_MS))).toBe("look_up");
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

  test("and the second only if it began after the settle time", async () => {
    const { read, store, next } = await lost("task_3");
    await store(await read(), later(1_000));
    await store(await read(), later(SETTLE_MS - 1));
    expect([(await read()).lookUps, await next(later(SETTLE_MS))]).toEqual([1, "look_up"]);
    await store(await read(), later(SETTLE_MS));
    expect([(await read()).lookUps, await next(later(SETTLE_MS))]).toEqual([2, "send"]);
  });
});
