import { expect, test } from "vitest";
import { removeInBatches, untilFewer } from "./removals.ts";

const NEVER = new AbortController().signal;

/** Something to remove from, and the sizes of the batches asked for. */
function stock(rows: number) {
  const asked: number[] = [];
  const remove = async (most: number) => {
    asked.push(most);
    const removed = Math.min(most, rows);
    rows -= removed;
    return removed;
  };
  return { asked, remove: untilFewer(remove), left: () => rows };
}

test("everything is removed, in batches, one removal after the other", async () => {
  const [first, second] = [stock(25), stock(10)];
  await removeInBatches([first.remove, second.remove], { signal: NEVER, batch: 10 });
  expect([first.left(), second.left()]).toEqual([0, 0]);
  // A batch that was full may not have been the last.
  expect([first.asked, second.asked]).toEqual([
    [10, 10, 10],
    [10, 10],
  ]);
});

test("a run ends after so many batches; the next one goes on", async () => {
  const [first, second] = [stock(25), stock(10)];
  const run = () => removeInBatches([first.remove, second.remove], { signal: NEVER, batch: 10, mostBatches: 2 });
  await run();
  expect([first.left(), second.left()]).toEqual([5, 10]);
  await run();
  expect([first.left(), second.left()]).toEqual([0, 0]);
});

test("nothing more is removed once the worker stops", async () => {
  const stopping = new AbortController();
  const rows = stock(25);
  const removal = async (most: number) => {
    stopping.abort();
    return rows.remove(most);
  };
  await removeInBatches([removal, rows.remove], { signal: stopping.signal, batch: 10 });
  expect(rows.left()).toBe(15);
});

test("a removal that fails ends the run, which is tried again at its time", async () => {
  const rows = stock(5);
  const failing = async () => {
    throw new Error("the database is away");
  };
  await expect(removeInBatches([failing, rows.remove], { signal: NEVER })).rejects.toThrow("the database is away");
  expect(rows.left()).toBe(5);
});
