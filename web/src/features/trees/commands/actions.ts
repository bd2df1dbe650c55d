import type { SetFocus } from "../editor.tsx";
import type { EditorState } from "../editor-state.ts";
import { placeInside, placeOutside } from "../find/places.ts";
import type { NewPlace } from "../outline/new-line.ts";
import { endsOf, moveAllBy, moveAllTo, optionsIn, removeAll, rootsOf, toggleAll } from "../outline/picked.ts";
import { type Row, valueAt } from "../outline/rows.ts";
import type { BeginLine } from "../outline/use-new-line.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";

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
  /** All lines that are selected: at least that one. */
  readonly picked: readonly Row[];
  readonly begin: BeginLine;
  readonly setFocus: SetFocus;
  /** Whether the filter hides some lines: then places are not known. */
  readonly isFiltered: boolean;
  readonly onMove: (id: string) => void;
  readonly show: Readonly<
    Record<"details" | "suggestion" | "settings" | "insert" | "template" | "together" | "filter" | "view", () => void>
  >;
  readonly fold: Readonly<Record<"openAll" | "closeAll", () => void>>;
}

/** Returns everything that can be done, by name; null for what cannot be done now. Buttons, keys and the list of commands share it. */
export function actionsOf({
  sync,
  state,
  rows,
  row,
  picked,
  begin,
  setFocus,
  isFiltered,
  onMove,
  show,
  fold,
}: Context) {
  const action = (label: string, run: () => void, keys?: string): Action => ({ label, run, keys });
  const editing = <T>(can: T | null | undefined | false, make: (sync: TreeSync, it: T) => Action): Action | null =>
    sync && can !== null && can !== undefined && can !== false ? make(sync, can) : null;
  const change = (edit: Parameters<TreeSync["edit"]>[0]) => {
    const refused = sync?.edit(edit);
    if (refused) sync?.say(refused);
  };
  const roots = rootsOf(picked);
  const block = endsOf(roots);
  const [first, last] = block ?? [];
  const choosable = optionsIn(picked).some(({ node }) => node.kind !== "group");
  return {
    addNode: editing(true, () =>
      action(t.addNodeLong, () => begin(placeOfNode(state, row), row?.id ?? null), t.keys.addNode),
    ),
    addOption: editing(row, (_, it) =>
      action(t.addOptionLong, () => begin(placeOfOption(it), it.id), t.keys.addOption),
    ),
    insert: editing(true, () => action(t.insert, show.insert, t.keys.insert)),
    template: row ? action(t.template, show.template) : null,
    together: editing(true, () => action(t.together, show.together)),
    undo: editing(state.past.length > 0, (it) => action(t.undo, () => it.undo(), t.keys.undo)),
    redo: editing(state.future.length > 0, (it) => action(t.redo, () => it.redo(), t.keys.redo)),
    choose: editing(choosable, () => action(t.choose, () => change(toggleAll(picked)), t.keys.choose)),
    rename: editing(row, (_, it) =>
      action(t.rename, () => setFocus({ rowId: it.id, column: 0, typed: valueAt(it, 0) }), t.keys.rename),
    ),
    up: editing(first && first.index > 0, () => action(t.up, () => change(moveAllBy(roots, -1)), t.keys.up)),
    down: editing(last && last.index < last.siblings - 1, () =>
      action(t.down, () => change(moveAllBy(roots, 1)), t.keys.down),
    ),
    in: editing(!isFiltered && first && placeInside(rows, first), (_, place) =>
      action(t.in, () => change(moveAllTo(roots, place)), t.keys.in),
    ),
    out: editing(!isFiltered && last && placeOutside(rows, last), (_, place) =>
      action(t.out, () => change(moveAllTo(roots, place)), t.keys.out),
    ),
    move: editing(!isFiltered && roots.length === 1 && first, (_, it) =>
      action(t.move, () => onMove(it.id), t.keys.move),
    ),
    remove: editing(roots[0], (it, { at, depth }) =>
      action(
        t.remove,
        () => {
          const ids = new Set(roots.map(({ id }) => id));
          // To the line behind what is deleted, or to the one before it.
          const behind = roots.at(-1)?.at ?? at;
          const next =
            rows.find((each) => each.at > behind && each.depth <= depth && !ids.has(each.id)) ?? rows[at - 1];
          const refused = it.edit(removeAll(roots));
          if (refused) it.say(refused);
          else if (next) setFocus({ rowId: next.id, column: 0, typed: null });
        },
        t.keys.remove,
      ),
    ),
    details: row ? action(t.details, show.details, t.keys.details) : null,
    settings: editing(true, () => action(t.settings, show.settings)),
    suggestion: action(t.suggestion, show.suggestion),
    view: action(t.otherView, show.view),
    filter: action(t.filter, show.filter, t.keys.filter),
    openAll: action(t.openAll, fold.openAll),
    closeAll: action(t.closeAll, fold.closeAll),
  } satisfies Record<string, Action | null>;
}

/** Below the option that has the focus, or behind the question that has it, or at the end. */
function placeOfNode({ tree }: EditorState, row: Row | undefined): NewPlace {
  if (row?.option === null) return { kind: "node", parentId: row.parentId, afterId: row.id };
  const nodes = row?.option?.nodes ?? tree.nodes;
  return { kind: "node", parentId: row?.id ?? null, afterId: nodes.at(-1)?.id ?? null };
}

/** Behind the option that has the focus, or at the end of the question that has it. */
function placeOfOption({ id, node, option }: Row): NewPlace {
  return { kind: "option", parentId: node.id, afterId: option ? id : (node.options.at(-1)?.id ?? null) };
}

export type Actions = ReturnType<typeof actionsOf>;
