import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { limits } from "../../../../../contract/limits.ts";
import { updateNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { goesToReadings, NumberFault, type Refused } from "../../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../../ui/numbers/pasted.ts";
import type { Typed } from "../../../ui/numbers/read-number.ts";
import { type Edit, inTurn } from "../sync/edits.ts";
import type { RefusedCell } from "../sync/refused-cells.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import type { NewLine } from "./new-line.ts";
import styles from "./outline-grid.module.css";
import { tellReading } from "./read-echo.ts";
import { POINTS, type Row, valueAt } from "./rows.ts";
import { writeHours, writeLine } from "./write-line.ts";

const t = treeTexts.editor;

/**
 * Where the focus goes when typing ends; `left` where it is elsewhere already, `below` to a new line, `gone` where others
 * have deleted the line.
 */
export type DoneTo = "stay" | "left" | "down" | "next" | "previous" | "below" | "gone";

/** What keys do to the line whose title is typed. */
export interface InTitle {
  /** Moves it one level in or out. */
  readonly shift: (row: Row, isOut: boolean) => void;
  /** Removes it, as nothing is left in it, and goes to the end of the one above; returns false where it holds something. */
  readonly erase: (row: Row) => boolean;
}

interface CellInputProps {
  readonly row: Row;
  readonly column: number;
  /** What it begins with. */
  readonly typed: string;
  /** What was typed here before and could not be taken. */
  readonly refused: RefusedCell | undefined;
  readonly sync: TreeSync;
  /** Set where the line is not yet part of the tree. */
  readonly fresh: NewLine | null;
  readonly inTitle: InTitle;
  /** `isEmpty` where a new line was left without a title. */
  readonly onDone: (to: DoneTo, isEmpty?: boolean) => void;
  /** Keeps what cannot be taken, or null where nothing is left of it. */
  readonly onRefused: (refused: RefusedCell | null) => void;
}

/**
 * The input of the cell that is typed into. In hours Enter goes down and Tab to the next cell, as in a spreadsheet; in a
 * title Enter opens a new line and Tab indents, as in an outliner. Escape leaves it as it was. What cannot be taken stays in
 * the cell when it is left.
 */
export function CellInput({ row, column, typed, refused: before, ...more }: CellInputProps) {
  const { sync, fresh, inTitle, onDone, onRefused } = more;
  // A key that began to type replaces what was refused.
  const [resumed] = useState(() => (typed === valueAt(row, column) ? before : undefined));
  const [text, setText] = useState(resumed?.text ?? typed);
  const [fault, setFault] = useState<Refused | null>(resumed?.fault ?? null);
  const isPasted = useRef(false);
  const field = useRef<HTMLInputElement | null>(null);
  const attach = useCallback(
    (input: HTMLInputElement | null) => {
      field.current = input;
      beginIn(input, column > 0);
    },
    [column],
  );
  const isDone = useRef(false);
  // Others may change the line in the meantime: the typed text is an edit of the value at the time when typing began.
  const [begun] = useState(() => ({ row, held: sync.hold() }));
  const point = POINTS[column - 1];
  const asTyped = (): Typed => ({ text, isPasted: isPasted.current });
  /** Returns why it is refused, or null. */
  const commit = (to: DoneTo, what = asTyped()): Refused | null => {
    if (isDone.current) return null;
    if (fresh && what.text.trim() === "") {
      isDone.current = true;
      onDone(to, true);
      return null;
    }
    const refused = fresh
      ? write(untitled(row), column, what, (change) => sync.edit(inTurn([fresh.make, change])))
      : write({ ...begun.row, id: row.id }, column, what, (change) => sync.edit(change, begun.held));
    setFault(refused);
    if (refused !== null) return refused;
    isDone.current = true;
    if (before) onRefused(null);
    onDone(to);
    return null;
  };
  // What was typed into a line that others delete is an edit of it as well: then the reader is asked what stays.
  const end = useRef(() => {});
  end.current = () => {
    if (isDone.current || !sync.lacks(row.id)) return;
    if (fresh) {
      // Others deleted what would hold it.
      if (text.trim() !== "" && sync.refusalOf(fresh.make) !== null)
        sync.sayUnsaved({ id: row.id, title: begun.row.option?.title ?? begun.row.node.title }, text);
      return;
    }
    if (text !== valueAt(begun.row, column)) {
      const refused = commit("gone");
      if (refused === null) return;
      onRefused({ text, fault: refused });
      sync.sayUnsaved({ id: row.id, title: row.option?.title ?? row.node.title }, text);
    }
    onDone("gone");
  };
  useEffect(() => () => end.current(), []);
  const leave = (event: FocusEvent) => {
    if (goesToReadings(event) || event.relatedTarget === field.current) return;
    // The window lost the focus: the line is typed on when it has it again.
    if (fresh && document.activeElement === field.current) return;
    const to = event.relatedTarget === null ? "stay" : "left";
    const refused = commit(to);
    if (refused === null) return;
    isDone.current = true;
    // It is added under the title of a new line, so that what was typed has a place.
    if (fresh && sync.edit(fresh.make) !== null) sync.sayUnsaved({ id: row.id, title: t.newOption }, text);
    onRefused({ text, fault: refused });
    onDone(to);
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    // Enter that ends composing a letter is the keyboard's.
    if (event.nativeEvent.isComposing) return;
    const to = { Enter: point ? "down" : "below", Tab: event.shiftKey ? "previous" : "next" }[event.key] as
      | DoneTo
      | undefined;
    // Tab leads from the field to the readings of what was typed.
    if (event.key === "Tab" && !event.shiftKey && fault !== null && typeof fault !== "string") return;
    if (event.key === "Tab" && !point) {
      event.preventDefault();
      inTitle.shift(row, event.shiftKey);
    } else if (to !== undefined) {
      event.preventDefault();
      commit(to);
    } else if (event.key === "Backspace" && !point && text === "" && !event.repeat && inTitle.erase(row)) {
      event.preventDefault();
      isDone.current = true;
    } else if (event.key === "Escape") {
      isDone.current = true;
      if (resumed) onRefused(null);
      onDone("stay", fresh !== null);
    }
  };
  return (
    <>
      <input
        className={point ? styles.pointInput : styles.titleInput}
        aria-label={`${point ? t.columns[point] : t.columns.title}: ${row.option?.title ?? row.node.title}`}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : "cell-fault"}
        inputMode={point ? "text" : undefined}
        maxLength={point ? 40 : limits.nodeTitleLength}
        placeholder={fresh ? valueAt(row, column) : undefined}
        // On the keyboard of a phone it would go to the next field else.
        enterKeyHint={point ? undefined : "enter"}
        value={text}
        ref={attach}
        onChange={(event) => {
          isPasted.current = isPastedIn(event, isPasted.current);
          setText(event.currentTarget.value);
          if (typeof fault === "object") setFault(null);
        }}
        onPaste={point && pasteApart}
        onKeyDown={press}
        onBlur={leave}
      />
      {fault !== null && (
        <NumberFault
          id="cell-fault"
          className={styles.fault}
          text={text}
          refused={fault}
          onChoose={(reading) => commit("stay", { text: reading })}
          onLeave={() => field.current?.focus()}
          onBlur={leave}
        />
      )}
    </>
  );
}

/**
 * Hours that stand there already are selected, so that typing replaces them, as in a spreadsheet; a title is typed on at its
 * end, as in an outliner. A key that began it is followed by the next.
 */
function beginIn(input: HTMLInputElement | null, isReplaced: boolean): void {
  input?.focus({ preventScroll: true });
  const { length } = input?.value ?? "";
  if (isReplaced && length > 1) input?.select();
  else input?.setSelectionRange(length, length);
}

/** A new line has no title yet, whatever is typed is one. */
const untitled = (row: Row): Row =>
  row.option ? { ...row, option: { ...row.option, title: "" } } : { ...row, node: { ...row.node, title: "" } };

/** Stores what was typed; returns why it cannot, or null. */
function write(row: Row, column: number, typed: Typed, edit: (change: Edit) => string | null): Refused | null {
  const { option } = row;
  const point = POINTS[column - 1];
  if (option === null || point === undefined) return writeTitle(row, typed.text, edit);
  const refused = writeHours(row, point, typed, edit);
  if (refused === null) tellReading(typed, row.id, column);
  return refused;
}

/** Stores a title, and what is typed behind that of an option. */
function writeTitle(row: Row, text: string, edit: (change: Edit) => string | null): Refused | null {
  const title = text.trim();
  const before = row.option?.title ?? row.node.title;
  if (title === before) return null;
  if (title === "") return t.noTitle(before);
  if (row.option === null) return edit((tree) => updateNode(tree, row.id, { title }));
  return writeLine(row, title, edit);
}
