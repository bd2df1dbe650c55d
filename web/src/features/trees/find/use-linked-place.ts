import { useLocation } from "@tanstack/react-router";
import { type Dispatch, type SetStateAction, useEffect, useRef } from "react";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import type { SetFocus } from "../editor.tsx";

/** Returns the ids of what has to be open so that `id` shows; null if it is not in the tree. */
export function aboveOf(tree: Tree, id: string): readonly string[] | null {
  const search = (nodes: Tree["nodes"], above: readonly string[]): readonly string[] | null => {
    for (const node of nodes) {
      if (node.id === id) return above;
      const inNode = [...above, node.id];
      for (const option of node.options) {
        if (option.id === id) return inNode;
        const found = search(option.nodes, [...inNode, option.id]);
        if (found) return found;
      }
    }
    return null;
  };
  return search(tree.nodes, []);
}

/** Puts the focus on the node or option that the address names behind `#`, each time that a link leads there. */
export function useLinkedPlace(
  tree: Tree,
  setClosed: Dispatch<SetStateAction<ReadonlySet<string>>>,
  setFocus: SetFocus,
): void {
  const hash = useLocation({ select: (location) => location.hash });
  const visit = useLocation({ select: ({ state }) => state.__TSR_key });
  const done = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (hash === "" || done.current === `${visit} ${hash}`) return;
    done.current = `${visit} ${hash}`;
    const above = aboveOf(tree, hash);
    if (above === null) return;
    setClosed((before) => new Set([...before].filter((id) => !above.includes(id))));
    setFocus({ rowId: hash, column: 0, typed: null });
  }, [hash, visit, tree, setClosed, setFocus]);
}
