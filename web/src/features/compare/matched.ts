import { matchTree } from "../../../../domain/compare/match-trees.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { withMissing } from "../trees/marked/marked-tree.ts";
import type { Compared, Content } from "./queries.ts";

type Named = Pick<Content, "name" | "tree">;

interface Matched {
  /** `base` with what only others have. */
  readonly tree: Tree;
  /** The tree of each other content, with the ids of `tree`. */
  readonly trees: readonly Tree[];
}

/**
 * Returns `base`, the tree of the two that are compared, with what only other contents have. Contents of this estimation are
 * the same by id; as soon as another estimation is among those before, the ids may be its own, and lines are matched.
 */
export function matchOthers(
  base: Tree,
  { from, to }: { readonly [End in keyof Pick<Compared, "from" | "to">]: Pick<Named, "name"> },
  others: readonly Named[],
): Matched {
  let tree = base;
  let isOwn = from.name === null && to.name === null;
  const trees = others.map(({ name, tree: other }) => {
    isOwn &&= name === null;
    // With what the columns before have, so that the same is one line.
    const matched = isOwn ? other : matchTree(tree, other);
    tree = withMissing(tree, matched);
    return matched;
  });
  return { tree, trees };
}
