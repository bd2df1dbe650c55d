import { describe, expect, test } from "vitest";
import { endpointEntries } from "../../contract/index.ts";
import { loops } from "./loops/index.ts";
import { setStage } from "./loops/stage.ts";

const stage = await setStage();

/** These have files and stages of their own: the matrix is long, and the others call endpoints more often than a minute allows. */
const { accessFollowsTheRule: _, statesAreJudged: __, nulsAreRefused: ___, ...others } = loops;

describe.each(Object.entries(others))("%s", (_, { title, endpoints, check }) => {
  test.each(endpoints)(title, (...entry) => check(stage, entry));
});

test("every write below an estimation can be refused for a stale revision", () => {
  const below = endpointEntries.filter(
    ([, { method, path, transaction }]) =>
      method !== "GET" && transaction !== false && path.startsWith("/api/estimations/:id"),
  );
  expect(loops.staleRevisionsAreRefused.endpoints).toEqual(below);
});
