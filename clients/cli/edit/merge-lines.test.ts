import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedLines, mergeLines } from "./merge-lines.ts";

const texts = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 8 }).map((lines) => lines.join("\n"));
const runs = { numRuns: 500 };

describe("merging two later states of a text", () => {
  test("takes what only one side has changed, whole", () => {
    fc.assert(
      fc.property(texts, texts, (base, changed) => {
        expect(mergeLines(base, changed, base)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeLines(base, base, changed)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeLines(base, changed, changed)).toEqual({ text: changed, conflicts: 0 });
      }),
      runs,
    );
  });

  test("loses no line of either side", () => {
    fc.assert(
      fc.property(texts, texts, texts, (base, mine, theirs) => {
        const { text } = mergeLines(base, mine, theirs);
        const before = new Set(base.split("\n"));
        for (const line of `${mine}\n${theirs}`.split("\n"))
          if (!before.has(line)) expect(text.split("\n")).toContain(line);
      }),
      runs,
    );
  });

  test("takes changes of both sides in different places", () => {
    expect(mergeLines("a\nb\nc\nd\ne", "A\nb\nc\nd\ne\nf", "a\nb\nd\nE")).toEqual({
      text: "A\nb\nd\n<<<<<<< yours\ne\nf\n=======\nE\n>>>>>>> theirs",
      conflicts: 1,
    });
    expect(mergeLines("a\nb\nc", "A\nb\nc", "a\nb\nC")).toEqual({ text: "A\nb\nC", conflicts: 0 });
  });

  test("marks what both have changed in different ways", () => {
    expect(mergeLines("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc")).toEqual({
      text: "a\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> theirs\nc",
      conflicts: 1,
    });
  });
});

test("the lines that differ are those of before with -, and those of after with +", () => {
  expect(changedLines("a\nb\nc", "a\nB\nc\nd")).toEqual(["- b", "+ B", "+ d"]);
  expect(changedLines("a", "a")).toEqual([]);
});
