import { expect, test } from "vitest";
import { matchTree } from "../../../../domain/compare/match-trees.ts";
import type { Node, Tree } from "../../../../domain/tree/shape.ts";
import { withMissing } from "../trees/marked/marked-tree.ts";
import { matchOthers } from "./matched.ts";

/** A tree of questions; each id is that of an estimation and a title. */
const treeOf = (estimation: string, ...titles: readonly string[]): Tree => ({
  nodes: titles.map((title) => ({ id: `${estimation} ${title}`, title, options: [] }) as unknown as Node),
});
const contentOf = (estimation: string, ...titles: readonly string[]) => ({
  name: estimation === "own" ? null : estimation,
  tree: treeOf(estimation, ...titles),
});

/** The titles of all lines, and the ids that each other content has after matching. */
function match(...[from, to, ...others]: readonly ReturnType<typeof contentOf>[]) {
  if (!from || !to) throw new Error("two are compared");
  const base = withMissing(matchTree(from.tree, to.tree), from.tree);
  const { tree, trees } = matchOthers(base, { from, to }, others);
  return { titles: tree.nodes.map(({ title }) => title), ids: trees.map(({ nodes }) => nodes.map(({ id }) => id)) };
}

const own = (...titles: readonly string[]) => contentOf("own", ...titles);
const portal = (...titles: readonly string[]) => contentOf("portal", ...titles);

test("versions of this estimation are the same by id alone, also where a title is another", () => {
  expect(match(own("a"), own("a", "b"), own("a", "c"))).toEqual({ titles: ["a", "c", "b"], ids: [["own a", "own c"]] });
});

test("each line shows once where the comparison begins with another estimation", () => {
  expect(match(portal("a", "b"), own("a"), own("a", "b"))).toEqual({
    titles: ["a", "b"],
    ids: [["portal a", "portal b"]],
  });
});

test("each line shows once where the comparison leads to another estimation", () => {
  expect(match(own("a"), portal("a", "b"), own("a", "b"))).toEqual({
    titles: ["a", "b"],
    ids: [["own a", "portal b"]],
  });
});

test("each line shows once where an older version follows another estimation", () => {
  expect(match(own("a"), own("a"), portal("b"), own("a", "b"))).toEqual({
    titles: expect.arrayContaining(["a", "b"]),
    ids: [["portal b"], ["own a", "portal b"]],
  });
  expect(match(own("a"), own("a"), portal("b"), own("a", "b")).titles).toHaveLength(2);
});
