import { expect, test } from "vitest";
import type { Comment } from "../../../../../contract/endpoints/reviews.ts";
import { lineOf, openByLine, piecesOf, threadsOf } from "./threads.ts";

const comment = (id: string, more: Partial<Comment> = {}): Comment => ({
  ...{ id, reviewId: "rev", parentId: null, author: { id: "usr", name: "Ada" }, body: "Why?", nodeId: null },
  ...{ optionId: null, verdict: null, resolved: false, resolvedBy: null, createdAt: "", editedAt: null },
  ...more,
});

test("replies stand below their first comment, and threads in the order of their first comments", () => {
  const [a, b] = [comment("a"), comment("b")];
  const [x, y, z] = [comment("x", { parentId: "b" }), comment("y", { parentId: "a" }), comment("z", { parentId: "b" })];
  expect(threadsOf([a, b, x, y, z])).toEqual([
    { first: a, replies: [y] },
    { first: b, replies: [x, z] },
  ]);
});

test("a line has the threads about it that are open", () => {
  const about = { nodeId: "nod", optionId: "opt" };
  const threads = threadsOf([
    comment("a", about),
    comment("b", { ...about, resolved: true }),
    comment("c", about),
    comment("d", { nodeId: "nod" }),
    comment("e"),
    comment("f", { ...about, parentId: "a" }),
  ]);
  expect(threads.map(({ first }) => lineOf(first))).toEqual(["opt", "opt", "opt", "nod", null]);
  expect(Object.fromEntries(openByLine(threads))).toEqual({ opt: 2, nod: 1 });
});

test("links to lines are found in texts", () => {
  const id = `opt_${"0".repeat(26)}`;
  expect(piecesOf(`See #${id}, and #opt_short.`)).toEqual(["See ", { line: id }, ", and #opt_short."]);
  expect(piecesOf(`#${id}`)).toEqual([{ line: id }]);
  expect(piecesOf("")).toEqual([]);
});
