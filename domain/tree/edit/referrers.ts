import { breaches, type Fault, isFull } from "../check/faults.ts";
import { type Tree, walk } from "../shape.ts";

/**
 * Returns the links that would lose their option if `removed` were deleted: one fault each, with its place in the tree
 * as `at`. `path` is where the request names what to delete: a DELETE has no body.
 */
export function danglingLinks(tree: Tree, removed: ReadonlySet<string>, path: string): Fault[] {
  const faults: Fault[] = [];
  walk(tree.nodes, {
    option: (option, optionPath) => {
      if (removed.has(option.id)) return;
      for (const name of ["requires", "excludes"] as const) {
        option[name].forEach((link, index) => {
          if (!removed.has(link) || isFull(faults)) return;
          faults.push({ path, in: "path", ...breaches.referredTo, at: `${optionPath}/${name}/${index}` });
        });
      }
    },
  });
  return faults;
}
