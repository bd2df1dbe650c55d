import { describe, expect, test } from "vitest";
import { loops } from "./loops/index.ts";
import { setStage } from "./loops/stage.ts";

const stage = await setStage();
const { title, endpoints, check } = loops.statesAreJudged;

describe("the rules of states", () => {
  test.each(endpoints)(title, (...entry) => check(stage, entry));
});

test("the refused calls include every one that changes the content of an estimation", () => {
  const refused = endpoints.filter(([, { changesContent }]) => changesContent).map(([id]) => id);
  const below = endpoints.filter(([, row]) => row.path.includes("/tree") && row.method !== "GET").map(([id]) => id);
  expect(refused).toEqual(expect.arrayContaining(["updateEstimation", "restoreVersion", ...below]));
});
