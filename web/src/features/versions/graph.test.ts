import { expect, test } from "vitest";
import { graphOf, lanesOf } from "./graph.ts";

/** Versions from a text: each with its parents, newest first. */
const versions = (text: string) =>
  text.split(", ").map((part) => {
    const [id = "", ...parents] = part.split(" ");
    return { id, parents };
  });

test("a single line stays in the first lane", () => {
  const rows = graphOf(versions("3 2, 2 1, 1"));
  expect(rows).toEqual([
    { lane: 0, above: [], below: [0], passing: [] },
    { lane: 0, above: [0], below: [0], passing: [] },
    { lane: 0, above: [0], below: [], passing: [] },
  ]);
  expect(lanesOf(rows)).toBe(1);
});

test("a branch has a lane of its own from where it left until it is merged", () => {
  // 5 merges 4 into 3; both began with 2.
  const rows = graphOf(versions("5 3 4, 4 2, 3 2, 2 1, 1"));
  expect(rows).toEqual([
    { lane: 0, above: [], below: [0, 1], passing: [] },
    { lane: 1, above: [1], below: [1], passing: [0] },
    { lane: 0, above: [0], below: [1], passing: [1] },
    { lane: 1, above: [1], below: [1], passing: [] },
    { lane: 1, above: [1], below: [], passing: [] },
  ]);
  expect(lanesOf(rows)).toBe(2);
});

test("lines of what is not loaded leave at the end, and a lane is used again once it is free", () => {
  const rows = graphOf(versions("9 7, 8 6, 7 6, 5 4"));
  expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 0]);
  expect(rows.at(-1)).toEqual({ lane: 0, above: [], below: [0], passing: [1] });
  expect(lanesOf([])).toBe(1);
});
