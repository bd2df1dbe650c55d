import { describe, expect, test } from "vitest";
import { loops } from "./loops/index.ts";
import { setStage } from "./loops/stage.ts";

const stage = await setStage();
const { title, rows, check } = loops.statesAreJudged;

describe("the rules of states", () => {
  test.each(rows)(title, (...row) => check(stage, row));
});

test("the refused calls include every one that changes the content of an estimation", () => {
  const refused = rows.filter(([, { changesContent }]) => changesContent).map(([id]) => id);
  const below = rows.filter(([, row]) => row.path.includes("/tree") && row.method !== "GET").map(([id]) => id);
  expect(refused).toEqual(expect.arrayContaining(["updateEstimation", "restoreVersion", ...below]));
});
