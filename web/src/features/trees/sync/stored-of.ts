import { idsOf } from "../../../../../domain/tree/shape.ts";
import { type Content, isAlike } from "./content.ts";

/** Returns which of the contents `sent`, each made from `base`, the server has stored, as far as `stored` tells; else null. */
export function storedOf(
  sent: readonly Content[],
  base: Content,
  stored: Content,
  merging: typeof import("./merge-contents.ts") | null,
): Content | null {
  const [known, now] = [listIds(base), listIds(stored)];
  const addedBy = (content: Content) => [...listIds(content)].filter((id) => !known.has(id));
  // It was stored as a whole or not at all: of what added most, nothing may be missing.
  const complete = sent.filter((content) => addedBy(content).every((id) => now.has(id)));
  const most = Math.max(0, ...complete.map((content) => addedBy(content).length));
  const likely = complete.filter((content) => addedBy(content).length === most);
  const isThere = (content: Content) => {
    if (isAlike(content, stored)) return true;
    if (isAlike(content, base)) return false;
    const merged = merging?.mergeContents({ base, into: stored, from: content });
    return merged?.ok === true && isAlike(merged.content, stored);
  };
  // Where somebody else has changed it since, the first one: no later edit is then taken for stored.
  return likely.findLast(isThere) ?? (most > 0 ? (likely[0] ?? null) : null);
}

function listIds({ tree }: Content): ReadonlySet<string> {
  const { nodes, options } = idsOf(tree.nodes);
  return new Set([...nodes, ...options]);
}
