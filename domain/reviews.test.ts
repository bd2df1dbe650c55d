import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reviewStatuses, standingStatuses, verdicts } from "../contract/endpoints/reviews.ts";
import { accessLevels } from "../contract/rights.ts";
import { asksAnew, differingOptions, judge, mayComment, reviewStateOf } from "./reviews.ts";
import type { Node, Option } from "./tree/shape.ts";

describe("the state of an estimation under review", () => {
  test.each([
    [[], "none"],
    [["approved"], "approved"],
    [["approved", "pending"], "pending"],
    [["pending", "changes_requested", "approved"], "changes_requested"],
  ] as const)("of %j is %s", (statuses, state) => {
    expect(reviewStateOf(statuses)).toBe(state);
  });

  test("depends on which statuses there are, not on their order or number, and is approved only if all approve", () => {
    const statuses = fc.array(fc.constantFrom(...standingStatuses), { maxLength: 8 });
    fc.assert(
      fc.property(statuses, fc.infiniteStream(fc.nat(7)), (some, random) => {
        const state = reviewStateOf(some);
        expect(reviewStateOf([...some].reverse())).toBe(state);
        expect(reviewStateOf([...some, ...[...random.take(3)].flatMap((at) => some[at] ?? [])])).toBe(state);
        expect(state === "approved").toBe(some.length > 0 && some.every((status) => status === "approved"));
        expect(state === "none").toBe(some.length === 0);
      }),
    );
  });
});

describe("a verdict", () => {
  const versionId = "ver_1";

  test.each(verdicts)("%s is about the pinned version, whether it is named or not", (verdict) => {
    for (const named of [undefined, versionId])
      expect(judge({ status: "pending", versionId }, { verdict, versionId: named, hasComment: false })).toBe("decided");
  });

  test("can be changed, and has no effect the second time, unless it has a comment", () => {
    const approved = { status: "approved", versionId } as const;
    const decision = { versionId: undefined, hasComment: false };
    expect(judge(approved, { ...decision, verdict: "changes_requested" })).toBe("decided");
    expect(judge(approved, { ...decision, verdict: "approved" })).toBe("same");
    expect(judge(approved, { ...decision, verdict: "approved", hasComment: true })).toBe("decided");
  });

  test("on a withdrawn review, or another version than the pinned one, is never accepted", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...reviewStatuses),
        fc.constantFrom(...verdicts),
        fc.constantFrom(undefined, versionId, "ver_2"),
        fc.boolean(),
        (status, verdict, named, hasComment) => {
          const outcome = judge({ status, versionId }, { verdict, versionId: named, hasComment });
          expect(outcome === "withdrawn").toBe(status === "withdrawn");
          expect(outcome === "moved").toBe(status !== "withdrawn" && named === "ver_2");
        },
      ),
    );
  });
});

test("an option differs if it says something else, stands elsewhere, or is not in both trees; not by what is around it", () => {
  const option = (id: string, more: Partial<Option> = {}): Option => ({
    ...{ id, title: id, description: "", hours: null, quantity: 1, unit: null, role: null, requires: [] },
    ...{ excludes: [], selected: false, override: null, nodes: [] },
    ...more,
  });
  const node = (id: string, options: Option[], title = id): Node => ({
    ...{ id, title, description: "", kind: "multi", required: false, min: null, max: null, options },
  });
  const hours = { optimistic: 1, likely: 2, pessimistic: 4 };
  const before = {
    nodes: [
      node(
        "n",
        ["same", "hours", "chosen", "gone", "moved"].map((id) => option(id)),
      ),
      node("m", []),
    ],
  };
  const after = {
    nodes: [
      node("m", [option("moved"), option("new")]),
      node(
        "n",
        [
          option("chosen", { selected: true }),
          option("hours", { hours }),
          option("same", { nodes: [node("below", [option("deep")])] }),
        ],
        "Another title",
      ),
    ],
  };
  const ids = ["same", "hours", "chosen", "gone", "moved", "new", "never"];
  expect(differingOptions(ids, before, after)).toEqual(["hours", "chosen", "gone", "moved", "new", "never"]);
  expect(differingOptions(ids.slice(0, 5), before, structuredClone(before))).toEqual([]);
  expect(differingOptions([], before, after)).toEqual([]);
});

test("asking again changes nothing exactly if the review is pending, about this content, and has this note", () => {
  const standing = { status: "pending", isCurrent: true, note: "Look at the payment" } as const;
  expect(asksAnew(standing)).toBe(false);
  expect(asksAnew(standing, "Look at the payment")).toBe(false);
  expect(asksAnew(standing, "And at the sign-in")).toBe(true);
  expect(asksAnew(standing, null)).toBe(true);
  expect(asksAnew({ ...standing, isCurrent: false })).toBe(true);
  for (const status of verdicts) expect(asksAnew({ ...standing, status })).toBe(true);
});

test("owners, editors and reviewers can comment, and of the viewers only those who are reviewers too", () => {
  expect(accessLevels.filter((level) => mayComment(level, level === "reviewer"))).toEqual([
    "owner",
    "editor",
    "reviewer",
  ]);
  expect(mayComment("viewer", true)).toBe(true);
});
