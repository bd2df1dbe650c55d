import { type FocusEvent, type MouseEvent, type PointerEvent, useRef } from "react";
import type { Focus, SetFocus } from "../editor.tsx";
import { toggle } from "../sync/edits.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { LAST_COLUMN, type Row, valueAt } from "./rows.ts";

interface Context {
  readonly rows: readonly Row[];
  readonly focus: Focus | null;
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly setFocus: SetFocus;
  readonly setOpen: (id: string, isOpen: boolean) => void;
}

/** Returns what the grid does when a cell takes the focus or is pressed: once for all cells, so that a line costs less to render. */
export function useCellEvents({ rows, focus, sync, setFocus, setOpen }: Context) {
  const isTouchedAgain = useRef(false);
  const cellAt = (target: EventTarget): { readonly row: Row; readonly column: number } | null => {
    const cell = target instanceof Element ? target.closest<HTMLTableCellElement>("td") : null;
    const id = cell?.closest("tr")?.dataset.row;
    const row = rows.find((each) => each.id === id);
    return cell && row ? { row, column: cell.cellIndex } : null;
  };
  const hasFocus = (row: Row, column: number) => focus?.rowId === row.id && focus.column === column;
  const editAt = (target: EventTarget) => {
    const cell = cellAt(target);
    if (!cell || !sync || cell.column > lastColumnOf(cell.row)) return;
    const { row, column } = cell;
    setFocus({ rowId: row.id, column, typed: valueAt(row, column) });
  };
  return {
    onFocus: ({ target }: FocusEvent) => {
      const cell = cellAt(target);
      if (!cell || cell.column > lastColumnOf(cell.row) || hasFocus(cell.row, cell.column)) return;
      setFocus({ rowId: cell.row.id, column: cell.column, typed: null });
    },
    onDoubleClick: ({ target }: MouseEvent) => editAt(target),
    // A finger that touches the cell that has the focus edits it: nobody double-clicks on a phone.
    onPointerDown: ({ target, pointerType }: PointerEvent) => {
      const cell = cellAt(target);
      isTouchedAgain.current =
        pointerType === "touch" && cell !== null && focus?.typed === null && hasFocus(cell.row, cell.column);
    },
    onClick: ({ target }: MouseEvent) => {
      const row = target instanceof Element ? cellAt(target)?.row : undefined;
      if (!row) return;
      const isOn = (part: string) => (target as Element).closest(part) !== null;
      if (isOn("[data-fold]")) setOpen(row.id, !row.isOpen);
      else if (isOn("[data-choose]")) {
        setFocus({ rowId: row.id, column: 0, typed: null });
        if (sync && row.node.kind !== "group") sync.edit(toggle(row));
      } else if (isTouchedAgain.current) editAt(target);
    },
  };
}

/** Hours are typed into lines of options alone. */
const lastColumnOf = ({ option }: Row): number => (option ? LAST_COLUMN : 0);
