import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFewPerTurn } from "./few-per-turn.ts";

test("few go on in one turn of the event loop, in order, also if more come meanwhile", async () => {
  const myTurn = createFewPerTurn(3);
  const begun: number[] = [];
  const begin = (n: number) => void myTurn().then(() => begun.push(n));
  for (let n = 0; n < 7; n += 1) begin(n);
  const turns: number[][] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    await nextTurn();
    turns.push(begun.splice(0));
    if (turn === 1) for (const n of [7, 8, 9]) begin(n);
  }
  expect(turns.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const together of turns) expect(together.length).toBeLessThanOrEqual(3);
  begin(10);
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual([10]);
});
