import { describe, expect, test } from "vitest";
import { type Ancestor, commonAncestors, isAncestor } from "./ancestors.ts";

/** A history from the parents of each version, in the order of their numbers. */
const historyOf = (parents: Readonly<Record<string, string>>): Ancestor[] =>
  Object.entries(parents).map(([id, of], index) => ({
    id,
    number: index + 1,
    parents: of === "" ? [] : of.split(" "),
  }));

describe("the nearest common ancestors", () => {
  const fork = historyOf({ a: "", b: "a", c: "b", d: "b", e: "d" });

  test("of two lines are the version where they diverged, and of a version and a later one the earlier one", () => {
    expect(commonAncestors(fork, "c", "e")).toEqual(["b"]);
    expect(commonAncestors(fork, "b", "e")).toEqual(["b"]);
    expect(commonAncestors(fork, "e", "e")).toEqual(["e"]);
    expect([isAncestor(fork, "b", "e"), isAncestor(fork, "c", "e"), isAncestor(fork, "e", "e")]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("after a merge are the merged version", () => {
    const merged = historyOf({ a: "", b: "a", c: "a", m: "b c", d: "c" });
    expect(commonAncestors(merged, "m", "d")).toEqual(["c"]);
  });

  test("are several if lines were merged crosswise, the latest first", () => {
    const crossed = historyOf({ a: "", b: "a", c: "a", d: "b c", e: "c b" });
    expect(commonAncestors(crossed, "d", "e")).toEqual(["c", "b"]);
  });

  test("are none for versions without a common history", () => {
    expect(commonAncestors(historyOf({ a: "", b: "" }), "a", "b")).toEqual([]);
  });
});
