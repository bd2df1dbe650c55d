import { expect, test } from "vitest";
import { removeInBatches, untilFewer } from "./removals.ts";

const NEVER = new AbortController().signal;

/** Rows to remove, and the batch sizes requested. */
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

test("everything is removed in batches, one removal after the other", async () => {
  const [first, second] = [stock(25), stock(10)];
  await removeInBatches([first.remove, second.remove], { signal: NEVER, batch: 10 });
  expect([first.left(), second.left()]).toEqual([0, 0]);
  // After a full batch there may be more.
  expect([first.asked, second.asked]).toEqual([
    [10, 10, 10],
    [10, 10],
  ]);
});

test("after each batch but the last there is a pause, which is longer the longer the batch took", async () => {
  const rests: { ms: number; left: number }[] = [];
  const rows = stock(25);
  const slow = (most: number) => new Promise<boolean>((resolve) => setImmediate(() => resolve(rows.remove(most))));
  const rest = async (ms: number) => {
    rests.push({ ms, left: rows.left() });
  };
  await removeInBatches([slow], { signal: NEVER, batch: 10, rest });
  expect(rests.map(({ left }) => left)).toEqual([15, 5]);
  for (const { ms } of rests) expect(ms).toBeGreaterThan(0);
});

test("a run ends after a fixed number of batches; the next one continues", async () => {
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

test("a removal that fails ends the run, which is retried on time", async () => {
  const rows = stock(5);
  const failing = async () => {
    throw new Error("the database is away");
  };
  await expect(removeInBatches([failing, rows.remove], { signal: NEVER })).rejects.toThrow("the database is away");
  expect(rows.left()).toBe(5);
});
