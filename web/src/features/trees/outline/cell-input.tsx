import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { limits } from "../../../../../contract/limits.ts";
import { updateNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { updateOption } from "../../../../../domain/tree/edit/edit-options.ts";
import { goesToReadings, NumberFault, type Refused, refusedOf } from "../../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../../ui/numbers/pasted.ts";
import type { Typed } from "../../../ui/numbers/read-number.ts";
import { type Edit, inTurn } from "../sync/edits.ts";
import type { RefusedCell } from "../sync/refused-cells.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import styles from "./outline-grid.module.css";
import { readLine } from "./read-line.ts";
import { readPoints } from "./read-points.ts";
import { POINTS, type Row, valueAt } from "./rows.ts";
import { setHours } from "./typed-points.ts";

const t = treeTexts.editor;

/**
 * Where the focus goes when typing ends; `left` where it is elsewhere already, `away` where nothing was typed into a new
 * line, `gone` where others have deleted the line.
 */
export type DoneTo = "stay" | "left" | "down" | "next" | "previous" | "away" | "gone";

interface CellInputProps {
  readonly row: Row;
  readonly column: number;
  /** What it begins with. */
  readonly typed: string;
  /** What was typed here before and could not be taken. */
  readonly refused: RefusedCell | undefined;
  readonly sync: TreeSync;
  readonly onDone: (to: DoneTo) => void;
  /** Keeps what cannot be taken, or null where nothing is left of it. */
  readonly onRefused: (refused: RefusedCell | null) => void;
}

/**
 * The input of the cell that is typed into. Enter goes down, Tab to the next cell, Escape leaves it as it was. What cannot
 * be taken stays in the cell when it is left.
 */
export function CellInput({ row, column, typed, refused: before, sync, onDone, onRefused }: CellInputProps) {
  const [text, setText] = useState(before?.text ?? typed);
  const [fault, setFault] = useState<Refused | null>(before?.fault ?? null);
  const isPasted = useRef(false);
  const field = useRef<HTMLInputElement | null>(null);
  const attach = useCallback((input: HTMLInputElement | null) => {
    field.current = input;
    selectOnce(input);
  }, []);
  const isDone = useRef(false);
  // Others may change the line in the meantime: the typed text is an edit of the value at the time when typing began.
  const [begun] = useState(() => ({ row, held: sync.hold() }));
  const point = POINTS[column - 1];
  const asTyped = (): Typed => ({ text, isPasted: isPasted.current });
  /** Returns why it is refused, or null. */
  const commit = (to: DoneTo, what = asTyped()): Refused | null => {
    if (isDone.current) return null;
    const refused = write({ ...begun.row, id: row.id }, column, what, (change) => sync.edit(change, begun.held));
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
    const to = event.relatedTarget === null ? "stay" : "left";
    const refused = commit(to);
    if (refused === null) return;
    isDone.current = true;
    onRefused({ text, fault: refused });
    onDone(to);
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    const to = { Enter: "down", Tab: event.shiftKey ? "previous" : "next" }[event.key] as DoneTo | undefined;
    // Tab leads from the field to the readings of what was typed.
    if (event.key === "Tab" && !event.shiftKey && fault !== null && typeof fault !== "string") return;
    if (to !== undefined) {
      event.preventDefault();
      commit(to);
    } else if (event.key === "Escape") {
      isDone.current = true;
      if (before) onRefused(null);
      onDone(column === 0 && text === typed ? "away" : "stay");
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

/** What stands there already is selected, so that typing replaces it; a key that began it is followed by the next. */
function selectOnce(input: HTMLInputElement | null): void {
  input?.focus({ preventScroll: true });
  if (input && input.value.length > 1) input.select();
}

/** Stores what was typed; returns why it cannot, or null. */
function write(row: Row, column: number, typed: Typed, edit: (change: Edit) => string | null): Refused | null {
  const { option } = row;
  const point = POINTS[column - 1];
  if (option === null || point === undefined) return writeTitle(row, typed.text, edit);
  // Overrides of a project stay separate from the hours of its template.
  const field = option.override ? "override" : "hours";
  const read = readPoints(typed, point, option[field]);
  if (!read.ok) return refusedOf(read, t.unreadable);
  return edit(setHours(row.id, field, read.value));
}

/** Stores a title, and what is typed behind that of an option. */
function writeTitle({ id, node, option }: Row, text: string, edit: (change: Edit) => string | null): Refused | null {
  const title = text.trim();
  const before = option?.title ?? node.title;
  if (title === before) return null;
  if (title === "") return t.noTitle(before);
  if (option === null) return edit((tree) => updateNode(tree, id, { title }));
  // A title that looks so already is only changed.
  const line = readLine(before) === null ? readLine(title) : null;
  if (line === null) return edit((tree) => updateOption(tree, id, { title }));
  if (!("title" in line)) return line;
  const fields = { ...line.fields, title: line.title };
  const changes: Edit[] = [(tree) => updateOption(tree, id, fields)];
  if (line.hours) changes.push(setHours(id, option.override ? "override" : "hours", line.hours));
  return edit(inTurn(changes));
}
