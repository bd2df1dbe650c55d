import { type Tree, walk } from "../../../../domain/tree/shape.ts";
import { texts } from "../../texts.ts";
import { editing } from "../../texts-of-editing.ts";
import type { Actions } from "./actions.ts";
import type { PaletteItem } from "./palette.tsx";

/** Returns what can be done now, then every place in the tree, for the list of commands. */
export function paletteItems(
  tree: Tree,
  { palette: _, ...actions }: Actions,
  onGoTo: (id: string) => void,
): PaletteItem[] {
  const items: PaletteItem[] = Object.entries(actions).flatMap(([id, action]) =>
    action ? [{ id: `command ${id}`, detail: editing.commands.command, ...action }] : [],
  );
  walk(tree.nodes, {
    node: ({ id, title, kind }) =>
      void items.push({ id, label: title, detail: texts.estimation.kinds[kind], run: () => onGoTo(id) }),
    option: ({ id, title }, _path, node) =>
      void items.push({ id, label: title, detail: node.title, run: () => onGoTo(id) }),
  });
  return items;
}
