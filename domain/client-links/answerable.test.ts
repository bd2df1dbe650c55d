import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NodeInput, OptionInput } from "../tree/shape.ts";
import { plant } from "../tree/testing/trees.ts";
import { unanswerable } from "./answerable.ts";

const problemsOf = (...nodes: NodeInput[]) => unanswerable(plant(nodes)).map(({ path, problem }) => [path, problem]);

/** Options of which each excludes those before it that `pairs` has with it. */
const optionsOf = (count: number, excludes: (at: number, before: number) => boolean): OptionInput[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ ref: `o${at}`, title: `Option ${at}` },
    excludes: Array.from({ length: at }, (__, before) => before)
      .filter((before) => excludes(at, before))
      .map((before) => `o${before}`),
  }));

/** Returns whether so many of `count` options can be chosen, by trying all sets. */
function hasSet(count: number, min: number, excludes: (at: number, before: number) => boolean): boolean {
  return Array.from({ length: 2 ** count }, (_, set) =>
    Array.from({ length: count }, (__, at) => at).filter((at) => set & (2 ** at)),
  ).some(
    (chosen) => chosen.length === min && chosen.every((at) => !chosen.some((one) => one < at && excludes(at, one))),
  );
}

describe("a question", () => {
  test("is reported exactly if no set of its options fulfils its min", () => {
    const cases = fc
      .record({
        count: fc.integer({ min: 1, max: 6 }),
        pairs: fc.array(fc.boolean(), { minLength: 36, maxLength: 36 }),
      })
      .chain(({ count, pairs }) =>
        fc.record({
          ...{ count: fc.constant(count), pairs: fc.constant(pairs) },
          min: fc.integer({ min: 0, max: count }),
        }),
      );
    fc.assert(
      fc.property(cases, ({ count, pairs, min }) => {
        const excludes = (at: number, before: number) => pairs[at * 6 + before] ?? false;
        const found = problemsOf({ title: "n", kind: "multi", min, options: optionsOf(count, excludes) });
        expect(found).toEqual(hasSet(count, min, excludes) ? [] : [["/nodes/0", "too_few_selected"]]);
      }),
    );
  });

  test("loses the options that fixed scope excludes, and options of fixed scope are not chosen", () => {
    const fixed: NodeInput = { title: "g", kind: "group", options: [{ ref: "g", title: "Hosting" }] };
    const own = (more: object): NodeInput => ({
      ...{ title: "n", kind: "single", options: [{ title: "Own server", excludes: ["g"] }], ...more },
    });
    expect(problemsOf(fixed, own({ required: true }))).toEqual([["/nodes/1", "too_few_selected"]]);
    expect(problemsOf(fixed, own({}))).toEqual([]);
    expect(problemsOf({ ...fixed, required: true })).toEqual([]);
    expect(problemsOf({ title: "g", kind: "group", required: true })).toEqual([["/nodes/0", "too_few_selected"]]);
  });

  test("that would take too long to judge counts as one that can be answered", () => {
    // Of each three options one can be chosen: 66 sets of three, and one too many asked for.
    const excludes = (at: number, before: number) => Math.floor(at / 3) === Math.floor(before / 3);
    expect(problemsOf({ title: "n", kind: "multi", min: 67, options: optionsOf(198, excludes) })).toEqual([]);
    expect(problemsOf({ title: "n", kind: "multi", min: 5, options: optionsOf(12, excludes) })).toEqual([
      ["/nodes/0", "too_few_selected"],
    ]);
  });
});
