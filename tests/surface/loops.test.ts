import { describe, expect, test } from "vitest";
import { endpointRows } from "../../contract/index.ts";
import { loops } from "./loops/index.ts";
import { setStage } from "./loops/stage.ts";

const stage = await setStage();

/** These have files and stages of their own: the matrix is long, and the others call rows more often than a minute allows. */
const { accessFollowsTheRule: _, statesAreJudged: __, nulsAreRefused: ___, ...others } = loops;

describe.each(Object.entries(others))("%s", (_, { title, rows, check }) => {
  test.each(rows)(title, (...row) => check(stage, row));
});

test("every write below an estimation can be refused for a stale revision", () => {
  const below = endpointRows.filter(
    ([, { method, path, transaction }]) =>
      method !== "GET" && transaction !== false && path.startsWith("/api/estimations/:id"),
  );
  expect(loops.staleRevisionsAreRefused.rows).toEqual(below);
});
