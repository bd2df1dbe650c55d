import { describe, expect, test } from "vitest";
import type { Json } from "../../../tests/harness.ts";
import { setStage } from "./testing/stage.ts";

const { app, fake, call, estimate } = await setStage();

/** An exported estimation, and a function that reads its issues back. */
async function exported(counts: readonly number[]) {
  const made = await estimate(counts);
  const { id: exportId } = await made.exported();
  const pull = async () => {
    const { data } = await call("POST", `${made.path}/exports/${exportId}/pull`, {});
    const id = String(data.export?.id);
    return made.finish(id);
  };
  const numberOf = (title: string) =>
    Number(fake.repository.issues.find((issue) => issue.title.includes(title))?.number);
  const task = async (title: string) => (await made.tasks()).find((one) => one.title?.includes(title)) ?? ({} as never);
  return { ...made, pull, numberOf, task };
}

const suggestionFor = async (path: string) => (await call("GET", `${path}/suggestion`)).data.suggestion as Json;

describe("work that was never done", () => {
  test.each(["not_planned", "duplicate"] as const)("is dropped where its issue was closed as %s", async (reason) => {
    const { pull, numberOf, task, path } = await exported([2]);
    const before = (await call("GET", `${path}/tree/hours`)).data;
    fake.repository.close(numberOf("Part 1.1"), reason);
    expect((await pull()).progress).toMatchObject({ updated: 1, skipped: 2 });
    expect(await task("Part 1.1")).toMatchObject({ doneAt: null, droppedAt: expect.any(String), status: "open" });
    expect((await pull()).progress).toMatchObject({ updated: 0, skipped: 3 });
    expect((await call("GET", `${path}/tree/hours`)).data).toEqual(before);
    await call("POST", `${path}/tasks/generate`);
    expect((await task("Part 1.1")).droppedAt).not.toBeNull();
  });

  test.each(["completed", null] as const)("is done where its issue was closed as %s", async (reason) => {
    const { pull, numberOf, task } = await exported([1]);
    fake.repository.close(numberOf("Part 1.1"), reason);
    await pull();
    expect(await task("Part 1.1")).toMatchObject({ doneAt: expect.any(String), droppedAt: null });
  });

  test("follows its issue: reopened, done, dropped after all", async () => {
    const { pull, numberOf, task } = await exported([1]);
    const number = numberOf("Part 1.1");
    const ends = async () => {
      await pull();
      const { doneAt, droppedAt } = await task("Part 1.1");
      return [doneAt !== null, droppedAt !== null];
    };
    fake.repository.close(number, "not_planned");
    expect(await ends()).toEqual([false, true]);
    fake.repository.reopen(number);
    expect(await ends()).toEqual([false, false]);
    fake.repository.close(number);
    expect(await ends()).toEqual([true, false]);
    fake.repository.close(number, "duplicate");
    expect(await ends()).toEqual([false, true]);
    fake.repository.close(number);
    expect(await ends()).toEqual([true, false]);
  });

  test("stays done where a person says so, and is done once a person says so", async () => {
    const { pull, numberOf, task, path } = await exported([2]);
    const at = "2026-01-31T00:00:00.000Z";
    const set = async (title: string, changes: object) =>
      (await call("PUT", `${path}/tasks/${(await task(title)).id}`, changes)).data.task;
    await set("Part 1.1", { doneAt: at });
    for (const title of ["Part 1.1", "Part 1.2"]) fake.repository.close(numberOf(title), "not_planned");
    expect((await pull()).progress).toMatchObject({ updated: 1, skipped: 2 });
    expect(await task("Part 1.1")).toMatchObject({ doneAt: at, droppedAt: null });
    const dropped = await task("Part 1.2");
    expect(dropped.droppedAt).not.toBeNull();
    // The mark is not a person's to set; what was read can be sent back.
    const { edited: _, ...record } = dropped;
    expect(await set("Part 1.2", record)).toEqual(dropped);
    expect(await set("Part 1.2", { droppedAt: at })).toEqual(dropped);
    expect(await set("Part 1.2", { doneAt: at })).toMatchObject({ doneAt: at, droppedAt: null });
    await pull();
    expect(await task("Part 1.2")).toMatchObject({ doneAt: at, droppedAt: null });
  });

  test("is done where it was done in one repository and dropped in another", async () => {
    const { pull, numberOf, task } = await exported([1]);
    fake.repository.close(numberOf("Part 1.1"), "not_planned");
    await pull();
    const { id } = await task("Part 1.1");
    // As after an export to another repository, whose issue was dropped.
    await app.pool.query("update export_ledger set pulled_done_at = null where task_id = $1", [id]);
    fake.repository.reopen(numberOf("Part 1.1"));
    await pull();
    expect((await task("Part 1.1")).droppedAt).not.toBeNull();
    fake.repository.close(numberOf("Part 1.1"));
    await pull();
    expect(await task("Part 1.1")).toMatchObject({ doneAt: expect.any(String), droppedAt: null });
  });

  test("is no evidence and no accuracy: three of 15 tasks change no suggestion", async () => {
    const { pull } = await exported([15]);
    for (const { number, title } of fake.repository.issues.filter((issue) => issue.title.includes("Part"))) {
      const hours = Number(title.split(".").at(-1));
      const isDropped = hours % 5 === 0;
      fake.repository.comment(number, `Actual hours: ${isDropped ? 40 * hours : hours}`);
      fake.repository.close(number, isDropped ? "not_planned" : "completed");
    }
    await pull();
    const { path } = await estimate([5]);
    expect(await suggestionFor(path)).toMatchObject({ evidence: { n: 12 }, ratio: expect.closeTo(1, 1) });
    const { data } = await call("GET", "/api/tasks/accuracy");
    expect(data.accuracy).toMatchObject({ ratio: { n: 12, median: 1 } });
  });
});
