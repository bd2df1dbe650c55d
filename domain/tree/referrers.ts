import { type Fault, messages, report } from "./faults.ts";
import { type Tree, walk } from "./shape.ts";

/** The links that would be left without their option if `removed` went: one fault each, at its place in the tree. */
export function danglingLinks(tree: Tree, removed: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  walk(tree.nodes, {
    option: (option, path) => {
      if (removed.has(option.id)) return;
      for (const name of ["requires", "excludes"] as const) {
        option[name].forEach((link, index) => {
          if (removed.has(link)) report(faults, `${path}/${name}/${index}`, messages.referredTo);
        });
      }
    },
  });
  return faults;
}
