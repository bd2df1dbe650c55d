import { describe, expect, test } from "vitest";
import { nextFor } from "../../../domain/exports/ledger.ts";
import { start } from "../../../tests/harness.ts";
import { ledgerRows } from "./item-store.ts";
import { storeIntent, storeLookUp, storeNoIssue } from "./ledger-store.ts";

const app = await start();
const owner = await app.signUp();
const SETTLE_MS = 120_000;
const sentAt = new Date("2027-01-31T12:00:00.000Z");
const later = (ms: number) => new Date(sentAt.getTime() + ms);

/** A task whose issue was sent at `sentAt`, and whose answer was lost. */
async function lost(taskId: string) {
  const { pool } = app.services;
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const run = {
    id: "exp_1",
    estimationId: String(data.estimation?.id),
    destination: "here",
    target: "github",
  } as const;
  const sends = await storeIntent(pool, run, { taskId, marker: "marker", pushed: {} }, sentAt);
  await storeNoIssue(pool, run, { taskId, sends: Number(sends), state: "unknown" });
  const read = async () => {
    const [row] = await ledgerRows(pool, run, [taskId]);
    if (!row) throw new Error("There is no row.");
    return row;
  };
  return {
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
