import { type Tree, walk } from "../../../../domain/tree/shape.ts";
import type { Typed } from "../../ui/numbers/read-number.ts";
import type { Actions } from "./actions.ts";
import { fieldPoints, readPoints, setHours } from "./grid/read-points.ts";
import type { Row } from "./grid/rows.ts";
import type { PaletteItem } from "./palette.tsx";
import { panelTexts } from "./panel/panel-texts.ts";
import type { Edit } from "./saving/edits.ts";
import { treeTexts } from "./texts.ts";

/** Returns the commands that set the hours of a line to what is typed: one for each reading of it. */
export function hoursItems(typed: Typed, { option }: Row, edit: (change: Edit) => void): PaletteItem[] {
  if (option === null) return [];
  const field = option.override ? "override" : "hours";
  const read = readPoints(typed, "likely", null);
  const readings = read.ok ? [read] : read.readings.map((text) => readPoints({ text }, "likely", null));
  return readings.flatMap((reading) => {
    if (!reading.ok || reading.value === null) return [];
    const hours = reading.value;
    const label = panelTexts.commands.setHours(option.title, fieldPoints(hours.points));
    const run = () => edit(setHours(option.id, field, hours));
    return [{ id: `hours ${label}`, label, detail: panelTexts.commands.command, run }];
  });
}

/** Returns what can be done now, then every place in the tree, for the list of commands. */
export function paletteItems(
  tree: Tree,
  { palette: _, withdraw: __, ...actions }: Actions,
  onGoTo: (id: string) => void,
): PaletteItem[] {
  const items: PaletteItem[] = Object.entries(actions).flatMap(([id, action]) =>
    action ? [{ id: `command ${id}`, detail: panelTexts.commands.command, ...action }] : [],
  );
  walk(tree.nodes, {
    node: ({ id, title, kind }) =>
      void items.push({ id, label: title, detail: treeTexts.estimation.kinds[kind], run: () => onGoTo(id) }),
    option: ({ id, title }, _path, node) =>
      void items.push({ id, label: title, detail: node.title, run: () => onGoTo(id) }),
  });
  return items;
}
