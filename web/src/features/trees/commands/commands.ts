import { limits } from "../../../../../contract/limits.ts";
import { nodeKinds } from "../../../../../contract/values/node-kinds.ts";
import { updateNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { type Tree, walk } from "../../../../../domain/tree/shape.ts";
import type { Typed } from "../../../ui/numbers/read-number.ts";
import { fieldPoints } from "../../../ui/numbers/three-points.ts";
import type { Commands, PaletteItem } from "../../palette/commands.ts";
import { optionsIn, updateAll } from "../outline/picked.ts";
import { readPoints } from "../outline/read-points.ts";
import type { Row } from "../outline/rows.ts";
import { setHours } from "../outline/typed-points.ts";
import { panelTexts } from "../panels/panel-texts.ts";
import type { Edit } from "../sync/edits.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import type { Actions } from "./actions.ts";

const t = panelTexts.commands;

/** Returns the commands that set the hours of a line to what is typed: one for each reading of it. */
export function hoursItems(typed: Typed, { option }: Row, edit: (change: Edit) => void): PaletteItem[] {
  if (option === null) return [];
  const field = option.override ? "override" : "hours";
  const read = readPoints(typed, "likely", null);
  const readings = read.ok ? [read] : read.readings.map((text) => readPoints({ text }, "likely", null));
  return readings.flatMap((reading) => {
    if (!reading.ok || reading.value === null) return [];
    const hours = reading.value;
    const label = t.setHours(option.title, fieldPoints(hours.points));
    const run = () => edit(setHours(option.id, field, hours));
    return [{ id: `hours ${label}`, label, detail: t.command, run }];
  });
}

interface EditorCommandsOf {
  readonly estimationId: string;
  readonly tree: Tree;
  readonly actions: Actions;
  readonly onGoTo: (id: string) => void;
  /** The line that has the focus, and all that are selected. */
  readonly row: Row | undefined;
  readonly picked: readonly Row[];
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
}

/** Returns what can be done in the editor now, and every place in the tree. */
export function editorCommands({ estimationId, tree, actions, onGoTo, row, picked, sync }: EditorCommandsOf): Commands {
  const edit = (change: Edit) => sync?.say(sync.edit(change));
  const items: PaletteItem[] = Object.entries(actions).flatMap(([id, action]) =>
    action ? [{ id: `command ${id}`, detail: t.command, ...action }] : [],
  );
  const places: PaletteItem[] = [];
  const roles = new Set<string>();
  walk(tree.nodes, {
    node: ({ id, title, kind }) =>
      void places.push({ id, label: title, detail: treeTexts.estimation.kinds[kind], run: () => onGoTo(id) }),
    option: ({ id, title, role }, _path, node) => {
      places.push({ id, label: title, detail: node.title, run: () => onGoTo(id) });
      if (role !== null) roles.add(role);
    },
  });
  items.push({ id: "command tour", label: t.tour, detail: t.command, to: `/estimations/${estimationId}#take-tour` });
  if (sync && row) items.push(...kindItems(row, edit));
  return {
    items,
    places,
    placeholder: t.placeholder,
    keys: panelTexts.keySheet,
    offer:
      sync && row
        ? (typed) => [...hoursItems(typed, row, edit), ...roleItems(typed.text, [...roles], picked, edit)]
        : undefined,
  };
}

/** Returns the commands that change how a question is answered. */
const kindItems = ({ node, option }: Row, edit: (change: Edit) => void): PaletteItem[] =>
  option !== null
    ? []
    : nodeKinds
        .filter((kind) => kind !== node.kind)
        .map((kind) => ({
          id: `kind ${kind}`,
          label: t.setKind(node.title, treeTexts.estimation.kinds[kind]),
          detail: t.command,
          run: () => edit((tree) => updateNode(tree, node.id, { kind })),
        }));

/** What asks for a role: `role backend`, or `@backend` as in a title. */
const ROLE = /^(?:role\b|@)\s*(.*)$/i;

/** Returns the commands that set the role of the selected options: to one of the tree's, or to the one that is typed. */
export function roleItems(
  text: string,
  roles: readonly string[],
  picked: readonly Row[],
  edit: (change: Edit) => void,
): PaletteItem[] {
  const typed = ROLE.exec(text.trim())?.[1]?.trim();
  const options = optionsIn(picked);
  const [first] = options;
  if (typed === undefined || first === undefined) return [];
  const title = options.length === 1 ? first.option.title : t.options(options.length);
  const known = roles.filter((role) => role.toLowerCase().includes(typed.toLowerCase())).toSorted();
  const isNew = typed !== "" && [...typed].length <= limits.roleLength && !known.includes(typed);
  return [...known, ...(isNew ? [typed] : [])].map((role) => ({
    id: `role ${role}`,
    label: t.setRole(title, role),
    detail: t.command,
    run: () => edit(updateAll(picked, { role })),
  }));
}
