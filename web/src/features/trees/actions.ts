import { findNode, findOption } from "../../../../domain/tree/locate.ts";
import type { SetFocus } from "./editor.tsx";
import type { EditorState } from "./editor-state.ts";
import { addNode, addOption, moveBy, remove, toggle } from "./edits.ts";
import { moveTo, placeInside, placeOutside } from "./places.ts";
import { isUntouched, type Row, valueAt } from "./rows.ts";
import { treeTexts } from "./texts.ts";
import type { TreeSync } from "./tree-sync.ts";

const t = treeTexts.editor;

/** Something that can be done now. */
export interface Action {
  readonly label: string;
  /** Its keys, as people write them. */
  readonly keys?: string;
  readonly run: () => void;
}

interface Context {
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly state: EditorState;
  readonly rows: readonly Row[];
  /** The line that has the focus. */
  readonly row: Row | undefined;
  /** Where that line was just added: the line that had the focus before, null for none. */
  readonly from: string | null | undefined;
  readonly setFocus: SetFocus;
  /** Whether the filter hides some lines: then places are not known. */
  readonly isFiltered: boolean;
  readonly onMove: (id: string) => void;
  readonly show: Readonly<
    Record<"details" | "suggestion" | "settings" | "keys" | "palette" | "filter" | "view", () => void>
  >;
  readonly fold: Readonly<Record<"openAll" | "closeAll", () => void>>;
}

/** Returns everything that can be done, by name; null for what cannot be done now. Buttons, keys and the list of commands share it. */
export function actionsOf({ sync, state, rows, row, from, setFocus, isFiltered, onMove, show, fold }: Context) {
  const action = (label: string, run: () => void, keys?: string): Action => ({ label, run, keys });
  const begin = ({ id, edit }: ReturnType<typeof addNode>, typed: string) => {
    if (sync?.edit(edit) === null) setFocus({ rowId: id, column: 0, typed, from: row?.id ?? null });
  };
  const editing = <T>(can: T | null | undefined | false, make: (sync: TreeSync, it: T) => Action): Action | null =>
    sync && can !== null && can !== undefined && can !== false ? make(sync, can) : null;
  const change = (edit: Parameters<TreeSync["edit"]>[0]) => {
    const refused = sync?.edit(edit);
    if (refused) sync?.say(refused);
  };
  const isFresh = row !== undefined && from !== undefined;
  const movable = isFiltered ? undefined : row;
  return {
    addNode: editing(true, () => action(t.addNodeLong, () => begin(addNode(row), t.newNode), t.keys.addNode)),
    addOption: editing(row, (_, it) =>
      action(t.addOptionLong, () => begin(addOption(it), t.newOption), t.keys.addOption),
    ),
    undo: editing(state.past.length > 0, (it) => action(t.undo, () => it.undo(), t.keys.undo)),
    redo: editing(state.future.length > 0, (it) => action(t.redo, () => it.redo(), t.keys.redo)),
    choose: editing(row?.option && row.node.kind !== "group" && row, (_, it) =>
      action(t.choose, () => change(toggle(it)), t.keys.choose),
    ),
    rename: editing(row, (_, it) =>
      action(t.rename, () => setFocus({ rowId: it.id, column: 0, typed: valueAt(it, 0) }), t.keys.rename),
    ),
    up: editing(row && row.index > 0 && row, (_, it) => action(t.up, () => change(moveBy(it, -1)), t.keys.up)),
    down: editing(row && row.index < row.siblings - 1 && row, (_, it) =>
      action(t.down, () => change(moveBy(it, 1)), t.keys.down),
    ),
    in: editing(movable && placeInside(rows, movable), (_, place) =>
      action(t.in, () => movable && change(moveTo(movable, place)), t.keys.in),
    ),
    out: editing(movable && placeOutside(rows, movable), (_, place) =>
      action(t.out, () => movable && change(moveTo(movable, place)), t.keys.out),
    ),
    move: editing(movable, (_, it) => action(t.move, () => onMove(it.id), t.keys.move)),
    remove: editing(row, (it, { id, depth }) =>
      action(
        t.remove,
        () => {
          const at = rows.findIndex((each) => each.id === id);
          // To the line behind what is deleted, or to the one before it.
          const next = rows.find((each, index) => index > at && each.depth <= depth) ?? rows[at - 1];
          const refused = row && it.edit(remove(row));
          if (refused) it.say(refused);
          else if (next) setFocus({ rowId: next.id, column: 0, typed: null });
        },
        t.keys.remove,
      ),
    ),
    withdraw: editing(isFresh && isUntouched(row) && row, (it, { id }) =>
      action(t.remove, () => {
        const before = state.past.at(-1)?.before.tree;
        const wasAdded = before && !findOption(before, id) && !findNode(before, id);
        if (wasAdded) it.undo();
        else if (row) change(remove(row));
        const to = rows.find((each) => each.id === from) ?? rows.find((each) => each.id !== id);
        if (to) setFocus({ rowId: to.id, column: 0, typed: null });
      }),
    ),
    details: row ? action(t.details, show.details, t.keys.details) : null,
    settings: editing(true, () => action(t.settings, show.settings)),
    suggestion: action(t.suggestion, show.suggestion),
    view: action(t.otherView, show.view),
    filter: action(t.filter, show.filter, t.keys.filter),
    openAll: action(t.openAll, fold.openAll),
    closeAll: action(t.closeAll, fold.closeAll),
    palette: action(t.commands, show.palette, t.keys.palette),
    keys: action(t.keysTitle, show.keys, t.keys.keys),
  } satisfies Record<string, Action | null>;
}

export type Actions = ReturnType<typeof actionsOf>;
