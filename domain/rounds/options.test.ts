import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import type { Option, Tree } from "../tree/shape.ts";
import { isAsEstimated, withHours } from "./adopt.ts";
import { answerAt, notesFit, partOf, withAnswers } from "./answers.ts";
import { driversOf, labelOf, locateOptions } from "./options.ts";

const hours = { optimistic: 1, likely: 2, pessimistic: 4 };
const option = (id: string, more: Partial<Option> = {}): Option => ({
  ...{ id, title: id.toUpperCase(), description: "", hours, quantity: 1, unit: null, role: null },
  ...{ requires: [], excludes: [], selected: true, override: null, nodes: [], ...more },
});
const node = (title: string, options: Option[]) => ({
  ...{ id: title, title, description: "", kind: "group" as const, required: false, min: null, max: null, options },
});
const tree: Tree = { nodes: [node("Shop", [option("a", { nodes: [node("Payment", [option("b"), option("c")])] })])] };

describe("the options of a round", () => {
  it("are found in tree order, each with the titles above it", () => {
    const located = locateOptions(tree);
    expect([...located.keys()]).toEqual(["a", "b", "c"]);
    expect(located.get("c")?.path).toEqual(["Shop", "A", "Payment"]);
    expect(located.get("c")?.weight).toBe(1);
    expect(labelOf(located.get("b") as never)).toEqual({
      ...{ title: "B", path: ["Shop", "A", "Payment"], quantity: 1, unit: null, role: null, hours },
    });
  });

  it("are by default those that make up 80 % of the uncertainty, or all that count where nothing is uncertain", () => {
    const shares = (...all: number[]) => all.map((share, at) => ({ optionId: `o${at}`, share }));
    expect(driversOf(shares(0.5, 0.3, 0.15, 0.05))).toEqual(["o0", "o1"]);
    expect(driversOf(shares(0.5, 0.29, 0.16, 0.05))).toEqual(["o0", "o1", "o2"]);
    expect(driversOf(shares(1, 0))).toEqual(["o0"]);
    expect(driversOf(shares(0, 0))).toEqual(["o0", "o1"]);
    expect(driversOf([])).toEqual([]);
  });
});

describe("an option that is given hours", () => {
  const other = { optimistic: 3, likely: 5, pessimistic: 8 };

  it("counts with them, in the place of an override where it has one, and nothing else changes", () => {
    const withOverride: Tree = { nodes: [node("n", [option("a", { override: hours }), option("b")])] };
    const changed = withHours(withOverride, new Map([["a", other]]));
    expect(changed).toEqual({
      ok: true,
      tree: { nodes: [node("n", [option("a", { override: other }), option("b")])] },
    });
    const nested = withHours(tree, new Map([["c", other]]));
    expect(nested.ok && locateOptions(nested.tree).get("c")?.option.hours).toEqual(other);
    expect(nested.ok && locateOptions(nested.tree).get("b")?.option).toEqual(option("b"));
  });

  it("is refused where quantities would multiply to more hours than a tree may have", () => {
    const most = limits.optionHoursMax;
    const deep = [node("n", [option("x", { quantity: limits.quantityMax }), option("y")])];
    const above = { nodes: [node("n", [option("a", { quantity: limits.quantityMax, hours: null, nodes: deep })])] };
    const points = { optimistic: most, likely: most, pessimistic: most };
    expect(withHours(above, new Map([["x", points]]))).toMatchObject({ ok: false, reason: "invalid" });
  });

  it("is as it was estimated, but for hours of the same round", () => {
    const then = option("a");
    expect(isAsEstimated(then, option("a", { selected: false, requires: ["b"], nodes: [node("n", [])] }), [])).toBe(
      true,
    );
    for (const more of [
      { title: "x" },
      { description: "x" },
      { quantity: 2 },
      { unit: "x" },
      { role: "x" },
      { hours: null },
    ])
      expect(isAsEstimated(then, option("a", more), []), JSON.stringify(more)).toBe(false);
    expect(isAsEstimated(then, option("a", { hours: other }), [])).toBe(false);
    expect(
      isAsEstimated(then, option("a", { hours: other }), [{ optimistic: 99, likely: 99, pessimistic: 99 }, other]),
    ).toBe(true);
    expect(isAsEstimated(then, option("a", { override: other }), [other])).toBe(true);
    expect(isAsEstimated(option("a", { hours: null }), option("a", { hours: null }), [])).toBe(true);
  });
});

describe("what somebody has said", () => {
  const said = (...notes: (string | null)[]) =>
    withAnswers([], notes.length, new Map(notes.map((note, at) => [at, { ...hours, note }])));

  it("is replaced by what is said later, option by option", () => {
    const first = withAnswers([], 3, new Map([[1, { ...hours, note: "x" }]]));
    expect([0, 1, 2, 3].map((at) => answerAt(first, at))).toEqual([
      ...[undefined, { ...hours, note: "x" }, undefined, undefined],
    ]);
    expect(partOf(first, 3)).toEqual({ answered: 1, remaining: 2 });
    const second = withAnswers(
      first,
      3,
      new Map([
        [1, null],
        [2, { ...hours, note: null }],
      ]),
    );
    expect([0, 1, 2].map((at) => answerAt(second, at))).toEqual([undefined, null, { ...hours, note: null }]);
    expect(partOf(second, 3)).toEqual({ answered: 2, remaining: 1 });
    expect(partOf([], 3)).toEqual({ answered: 0, remaining: 3 });
  });

  it("has notes of so many bytes at most", () => {
    const most = limits.roundNotesBytes;
    expect(notesFit(said("x".repeat(most), null))).toBe(true);
    expect(notesFit(said("x".repeat(most), "y"))).toBe(false);
    expect(notesFit(said("ä".repeat(most / 2)))).toBe(true);
    expect(notesFit(said("ä".repeat(most / 2), "y"))).toBe(false);
    expect(notesFit(said("🦔".repeat(most / 4)))).toBe(true);
    expect(notesFit(said("🦔".repeat(most / 4), "y"))).toBe(false);
  });
});
