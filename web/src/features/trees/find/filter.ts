import type { Node, Tree } from "../../../../../domain/tree/shape.ts";

/**
 * Returns the ids of the lines that a filter leaves: those that have all its words in their texts, what is above them, and
 * what is below them. Null for a filter without words, which leaves all.
 */
export function matchesOf({ nodes }: Tree, query: string): ReadonlySet<string> | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const shown = new Set<string>();
  const has = (...texts: readonly (string | null)[]) => {
    const all = texts.join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  /** Returns whether any of these shows. */
  const visit = (list: readonly Node[], isBelow: boolean): boolean => {
    let isAny = false;
    for (const node of list) {
      const isFound = isBelow || has(node.title, node.description);
      let isShown = isFound;
      for (const option of node.options) {
        const isOwn = isFound || has(option.title, option.description, option.role, option.unit);
        const isHolding = visit(option.nodes, isOwn);
        if (!isOwn && !isHolding) continue;
        shown.add(option.id);
        isShown = true;
      }
      if (!isShown) continue;
      shown.add(node.id);
      isAny = true;
    }
    return isAny;
  };
  visit(nodes, false);
  return shown;
}
