import {
  type ClipboardEvent,
  type Dispatch,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type SetStateAction,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from "react";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { hinted } from "../../../ui/hinted.ts";
import { shownHours } from "../../../ui/numbers/format.ts";
import { Part } from "../../../ui/part.tsx";
import type { LiveLines } from "../../live/live-lines.ts";
import type { Actions } from "../commands/actions.ts";
import type { Focus, Moving, SetFocus } from "../editor.tsx";
import { moveTo, parentOf } from "../find/places.ts";
import type { RefusedCells } from "../sync/refused-cells.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import { bringIntoView } from "./bring-into-view.ts";
import type { DoneTo, InTitle } from "./cell-input.tsx";
import { dragStart } from "./drag-start.ts";
import { GridRow } from "./grid-row.tsx";
import styles from "./outline-grid.module.css";
import { cellsOf } from "./picked.ts";
import { ROW_HEIGHT } from "./row-height.ts";
import { LAST_COLUMN, type Row, valueAt } from "./rows.ts";
import { useCellEvents } from "./use-cell-events.ts";
import type { NewLines } from "./use-new-line.ts";
import type { Typing } from "./use-typing.ts";
import { useWindowRows } from "./use-window-rows.ts";

const MoveLayer = lazy(async () => ({ default: (await import("./move-layer.tsx")).MoveLayer }));

const t = treeTexts.editor;

/** A change of hundredths would render every line again, though all read the same. */
const ghostOf = (hours: number | undefined): number | null => (hours === undefined ? null : shownHours(hours));

const PAGE_ROWS = 12;

interface GridProps {
  readonly rows: readonly Row[];
  /** The line that has the focus. */
  readonly row: Row | undefined;
  /** All lines that are selected. */
  readonly picked: readonly Row[];
  readonly onPaste: (text: string) => void;
  readonly newLine: NewLines;
  /** What typing needs; null until it is loaded. */
  readonly code: Typing | null;
  readonly byNode: RollUp["byNode"];
  /** The largest pessimistic hours of the tree, for the ranges. */
  readonly scale: number;
  /** By how much selecting an option would change the P80. */
  readonly ghosts: ReadonlyMap<string, number>;
  /** Open threads of comments, by the lines that they are about. */
  readonly talks: Readonly<Record<string, number>>;
  readonly onTalk: (id: string) => void;
  readonly focus: Focus | null;
  readonly setFocus: SetFocus;
  readonly setClosed: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly actions: Actions;
  /** What is being moved. */
  readonly moving: Moving | null;
  /** Null where nothing can be moved. */
  readonly setMoving: ((moving: Moving | null) => void) | null;
  /** Whether typing a letter edits the cell. */
  readonly hasSingleKeys: boolean;
  /** What was typed and could not be taken, by line. */
  readonly refused: RefusedCells;
  /** What it shows of others. */
  readonly lines: LiveLines;
}

/**
 * The tree as an outline: a treegrid whose cells take the focus, as in the ARIA Authoring Practices. Only the rows near
 * the window, and the one with the focus, are in the document; only the cell that is typed into has an input.
 */
export function OutlineGrid({ rows, row, byNode, ghosts, focus, setFocus, setClosed, ...more }: GridProps) {
  const { sync, actions, moving, setMoving, hasSingleKeys, refused, picked, onPaste, talks, onTalk, scale, lines } =
    more;
  const { newLine, code } = more;
  const { line: fresh } = newLine;
  const grid = useRef<HTMLTableElement>(null);
  const [first, last, measure] = useWindowRows(grid, rows.length, ROW_HEIGHT);
  const expected = useMemo(() => new Map(byNode.map((node) => [node.nodeId, node.expected])), [byNode]);
  const focused = row?.at ?? -1;
  const column = focus?.column ?? 0;
  const isElsewhere = useRef(false);
  useFocusedCell(grid, isElsewhere, focus, focused);
  useEffect(() => {
    if (fresh && grid.current && focused >= 0) bringIntoView(grid.current, topOf(grid.current, focused));
  }, [fresh, focused]);
  const lastFocused = useRef(0);
  const lastField = useLastField(grid);
  /** The line that others deleted while something was typed into it. */
  const gone = useRef<string>(undefined);

  const pickedIds = useMemo(() => new Set(picked.length > 1 ? picked.map(({ id }) => id) : []), [picked]);

  const go = (index: number, toColumn = column, isPicking = false) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!next) return;
    const cell = next.option ? Math.max(0, Math.min(LAST_COLUMN, toColumn)) : 0;
    // Before it is rendered, so that a place far away renders once.
    if (grid.current && !isElsewhere.current && bringIntoView(grid.current, topOf(grid.current, next.at))) measure();
    setFocus({ rowId: next.id, column: cell, typed: null, anchor: isPicking ? (focus?.anchor ?? row?.id) : undefined });
  };
  // The focused line is gone, for example because adding it was undone: the focus stays at its position, unless it is
  // elsewhere on the page, such as in the filter, or was in a field that went away with the line: what is typed next would
  // replace another line.
  useEffect(() => {
    const active = document.activeElement;
    const isHere = active === document.body || grid.current?.contains(active);
    if (focused >= 0) {
      lastFocused.current = focused;
      gone.current = undefined;
    } else if (focus !== null && lastField.current?.isConnected === false) gone.current = focus.rowId;
    if (focused < 0 && focus !== null && focus.rowId !== gone.current && rows.length > 0 && isHere) {
      const next = rows[Math.min(lastFocused.current, rows.length - 1)];
      if (next) setFocus({ rowId: next.id, column: 0, typed: null });
    }
  }, [focused, focus, rows, setFocus, lastField]);
  // The same functions in every rendering, so that unchanged lines are not rendered again.
  const setOpen = useCallback(
    (id: string, isOpen: boolean) =>
      setClosed((before) => (isOpen ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]))),
    [setClosed],
  );
  const latest = useRef({ rows, go, focus, setFocus, column, newLine, sync });
  latest.current = { rows, go, focus, setFocus, column, newLine, sync };
  const done = useCallback((at: number, to: DoneTo, isEmpty: boolean) => {
    const now = latest.current;
    const row = now.rows[at];
    isElsewhere.current = to === "left";
    if (isEmpty) {
      // Back to the line that it was begun from, or to one beside it.
      const back = now.rows.find(({ id }) => id === now.newLine.line?.from) ?? now.rows[at - 1] ?? now.rows[at + 1];
      now.newLine.drop();
      if (back) now.setFocus({ rowId: back.id, column: 0, typed: null });
      return;
    }
    if (to === "gone") {
      // Should the line come back, it is not typed into.
      if (now.focus) now.setFocus({ ...now.focus, typed: null });
      return;
    }
    // Not below a line that others have deleted meanwhile: that is asked about first.
    if (to === "below" && row && !now.sync?.lacks(row.id)) {
      const kind = row.option ? "option" : "node";
      return now.newLine.begin({ kind, parentId: row.parentId, afterId: row.id }, row.id);
    }
    now.go(
      to === "down" ? at + 1 : at,
      to === "next" ? now.column + 1 : to === "previous" ? now.column - 1 : now.column,
    );
  }, []);

  const inTitle = useMemo<InTitle>(
    () => ({
      shift: (row, isOut) => latest.current.newLine.shift(row, isOut),
      erase: (row) => {
        const { rows, newLine, setFocus } = latest.current;
        const above = rows[row.at - 1];
        if (!above || !newLine.erase(row)) return false;
        setFocus({ rowId: above.id, column: 0, typed: valueAt(above, 0) });
        return true;
      },
    }),
    [],
  );

  const press = (event: KeyboardEvent) => {
    if (row === undefined || focus?.typed !== null || moving) return;
    const command = event.ctrlKey || event.metaKey;
    const context = {
      row,
      focused,
      column,
      rows,
      go,
      setOpen,
      command,
      sync,
      setFocus,
      actions,
      hasSingleKeys,
      written: refused[row.id]?.[column]?.text ?? valueAt(row, column),
      isPicking: picked.length > 1,
    };
    const action = keyAction(event, context);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  const beginDrag = (id: string) => {
    setFocus({ rowId: id, column: 0, typed: null });
    setMoving?.({ id, isPointer: true });
  };
  const copy = (event: ClipboardEvent) => {
    if (focus?.typed !== null || picked.length === 0 || !getSelection()?.isCollapsed) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", cellsOf(picked));
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text");
    // Several lines that are pasted into a title are no title.
    const isList = column === 0 && /\S\s*\n\s*\S/.test(text);
    if ((focus?.typed !== null && !isList) || !sync || !row || text.trim() === "") return;
    event.preventDefault();
    if (focus?.typed !== null && event.target instanceof HTMLElement) event.target.blur();
    onPaste(text);
  };
  const pick = (event: MouseEvent) => {
    const id = event.shiftKey && event.target instanceof Element && event.target.closest("tr")?.dataset.row;
    const at = id ? rows.findIndex((each) => each.id === id) : -1;
    if (at < 0 || !row || moving || focus?.typed !== null) return;
    event.preventDefault();
    go(at, 0, true);
  };
  const cellEvents = useCellEvents({ rows, focus, sync, setFocus, setOpen });
  const moved = moving && rows.find(({ id }) => id === moving.id);

  const shown = rows.slice(first, last);
  if (row && (focused < first || focused >= last)) shown.push(row);
  return (
    <div className={styles.frame} onPointerDown={(event) => setMoving && dragStart(event, beginDrag)}>
      <table
        ref={grid}
        role="treegrid"
        aria-label={treeTexts.estimation.tree}
        aria-rowcount={rows.length + 1}
        aria-readonly={sync === null}
        className={styles.grid}
        aria-multiselectable="true"
        onKeyDown={press}
        onCopy={copy}
        onPaste={paste}
        onMouseDown={pick}
        {...cellEvents}
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1} className={styles.heads}>
            <th role="columnheader" scope="col">
              {t.columns.title}
            </th>
            <th role="columnheader" scope="col">
              {t.columns.optimistic}
            </th>
            <th role="columnheader" scope="col">
              {t.columns.likely}
            </th>
            <th role="columnheader" scope="col">
              {t.columns.pessimistic}
            </th>
            <th role="columnheader" scope="col" className={styles.range}>
              {treeTexts.estimation.range}
            </th>
            <th role="columnheader" scope="col" {...hinted(t.columns.expectedHint)}>
              {t.columns.expected}
            </th>
            <th role="columnheader" scope="col" {...hinted(t.columns.ghostHint)} className={styles.ghost}>
              {t.columns.ghost}
            </th>
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          className={styles.body}
          style={{ height: rows.length * ROW_HEIGHT, lineHeight: `${ROW_HEIGHT - 1}px` }}
        >
          {shown.map((each) => (
            <GridRow
              key={each.id === fresh?.id ? fresh.key : each.id}
              row={each}
              refused={refused[each.id]}
              isTabStop={focused === -1 && each.at === 0}
              column={each.id === focus?.rowId ? column : null}
              typed={each.id === focus?.rowId ? (focus?.typed ?? null) : null}
              isPicked={pickedIds.has(each.id)}
              nodeHours={each.option === null ? (expected.get(each.id) ?? 0) : 0}
              ghost={each.option && !each.isActive ? ghostOf(ghosts.get(each.id)) : null}
              scale={scale}
              talks={talks[each.id] ?? 0}
              onTalk={onTalk}
              here={lines.here.get(each.id)}
              editedBy={lines.edited.get(each.id)}
              sync={sync}
              setFocus={setFocus}
              CellInput={code?.CellInput}
              fresh={each.id === fresh?.id ? fresh : null}
              onDone={done}
              inTitle={inTitle}
            />
          ))}
        </tbody>
      </table>
      {moved && sync && (
        <div className={styles.layer}>
          <Part>
            <MoveLayer
              rows={rows}
              row={moved}
              isPointer={moving.isPointer}
              grid={grid}
              onCancel={() => setMoving?.(null)}
              onDrop={(place) => {
                setMoving?.(null);
                sync.say(sync.edit(moveTo(moved, place)));
                setFocus({ rowId: moved.id, column: 0, typed: null });
              }}
            />
          </Part>
        </div>
      )}
    </div>
  );
}

/** Returns the field of a line that has the browser's focus, or had it last if nothing else has taken it since. */
function useLastField(grid: { readonly current: HTMLElement | null }): { readonly current: Element | null } {
  const field = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ target }: Event) => {
      const isField = target instanceof Element && target.matches("input, textarea");
      field.current = isField && (grid.current?.contains(target) || target.closest("#side-panel")) ? target : null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, [grid]);
  return field;
}

/**
 * Puts the browser's focus where the editor's is, and scrolls there; not with every change of the rows, and not where a
 * cell was left for something else on the page.
 */
function useFocusedCell(
  grid: { readonly current: HTMLTableElement | null },
  isElsewhere: { current: boolean },
  focus: Focus | null,
  focused: number,
): void {
  const shown = useRef("");
  useEffect(() => {
    const place = focus && focus.typed === null ? `${focus.rowId} ${focus.column}` : "";
    if (place === shown.current) return;
    shown.current = place;
    const wasLeft = isElsewhere.current;
    isElsewhere.current = false;
    if (wasLeft) return;
    const element = grid.current;
    if (!element || focused < 0 || place === "") return;
    bringIntoView(element, topOf(element, focused));
    element.querySelector<HTMLElement>('[data-focused="true"]')?.focus({ preventScroll: true });
  });
}

/** Returns where a line is, in pixels from the top of the window, though it may not be rendered. */
const topOf = (grid: HTMLTableElement, at: number): number =>
  (grid.tBodies[0]?.getBoundingClientRect().top ?? 0) + at * ROW_HEIGHT;

interface KeyContext {
  readonly row: Row;
  readonly focused: number;
  readonly column: number;
  readonly rows: readonly Row[];
  readonly go: (index: number, column?: number, isPicking?: boolean) => void;
  readonly setOpen: (id: string, isOpen: boolean) => void;
  readonly command: boolean;
  readonly sync: TreeSync | null;
  readonly setFocus: SetFocus;
  readonly actions: Actions;
  readonly hasSingleKeys: boolean;
  /** What the cell says, or what was typed there and could not be taken. */
  readonly written: string;
  /** Whether several lines are selected. */
  readonly isPicking: boolean;
}

/** Returns what a key does; undefined for one that is not the grid's. */
function keyAction(event: KeyboardEvent, context: KeyContext): (() => void) | undefined {
  const { row, focused, column, rows, go, setOpen, command, sync, actions } = context;
  const { key, altKey } = event;
  if (altKey) {
    const moves = { ArrowUp: actions.up, ArrowDown: actions.down, ArrowLeft: actions.out, ArrowRight: actions.in };
    // Without anything to move, Alt and an arrow must not leave the page either.
    return key in moves ? (moves[key as keyof typeof moves]?.run ?? (() => {})) : undefined;
  }
  const isFirst = column === 0;
  if (key === "Escape" && context.isPicking) return () => go(focused);
  switch (key) {
    case "ArrowDown":
      return () => go(focused + 1, column, event.shiftKey);
    case "ArrowUp":
      return () => go(focused - 1, column, event.shiftKey);
    case "PageDown":
      return () => go(focused + PAGE_ROWS);
    case "PageUp":
      return () => go(focused - PAGE_ROWS);
    case "Home":
      return () => (command ? go(0) : go(focused, 0));
    case "End":
      return () => (command ? go(rows.length - 1) : go(focused, LAST_COLUMN));
    case "ArrowRight":
      return isFirst && row.hasChildren && !row.isOpen ? () => setOpen(row.id, true) : () => go(focused, column + 1);
    case "ArrowLeft":
      if (!isFirst) return () => go(focused, column - 1);
      if (row.hasChildren && row.isOpen) return () => setOpen(row.id, false);
      return () => go(parentOf(rows, row)?.at ?? 0);
    default:
      return sync ? editAction(event, context) : undefined;
  }
}

function editAction(
  { key, shiftKey }: KeyboardEvent,
  { row, column, command, setFocus, actions, hasSingleKeys, written }: KeyContext,
): (() => void) | undefined {
  const begin = (typed: string) => () => setFocus({ rowId: row.id, column, typed });
  if (command) {
    const add = shiftKey ? actions.addNode : actions.addOption;
    return key === "Enter" ? add?.run : undefined;
  }
  if (key === " " && row.option) return actions.choose?.run ?? (() => {});
  if (key === "Enter" || key === "F2") return begin(valueAt(row, column));
  if (key === "Delete") return actions.remove?.run;
  // Typing replaces hours, as in a spreadsheet, but goes on with a title: no title that was typed is lost by a letter.
  if (hasSingleKeys && key.length === 1 && !" ?/".includes(key)) return begin(column === 0 ? written + key : key);
  return undefined;
}
