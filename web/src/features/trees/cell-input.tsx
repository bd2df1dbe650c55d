import { type FocusEvent, type KeyboardEvent, useCallback, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { updateNode } from "../../../../domain/tree/edit-nodes.ts";
import { updateOption } from "../../../../domain/tree/edit-options.ts";
import { goesToReadings, NumberFault, type Refused, refusedOf } from "../../ui/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../ui/pasted.ts";
import type { Typed } from "../../ui/read-number.ts";
import type { Edit } from "./edits.ts";
import styles from "./outline-grid.module.css";
import { readPoints } from "./read-points.ts";
import { POINTS, type Row } from "./rows.ts";
import { treeTexts } from "./texts.ts";
import type { TreeSync } from "./tree-sync.ts";

const t = treeTexts.editor;

interface CellInputProps {
  readonly row: Row;
  readonly column: number;
  /** What it begins with. */
  readonly typed: string;
  readonly sync: TreeSync;
  readonly onDone: (to: "stay" | "down" | "next" | "previous") => void;
}

/** The input of the cell that is typed into. Enter goes down, Tab to the next cell, Escape leaves it as it was. */
export function CellInput({ row, column, typed, sync, onDone }: CellInputProps) {
  const [text, setText] = useState(typed);
  const [fault, setFault] = useState<Refused | null>(null);
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
  const commit = (to: "stay" | "down" | "next" | "previous", what = asTyped()): Refused | null => {
    if (isDone.current) return null;
    const refused = write({ ...begun.row, id: row.id }, column, what, (change) => sync.edit(change, begun.held));
    setFault(refused);
    if (refused !== null) return refused;
    isDone.current = true;
    onDone(to);
    return null;
  };
  // Moving the focus may close it: then the typed text is reported elsewhere.
  const leave = (event: FocusEvent) => {
    if (goesToReadings(event) || event.relatedTarget === field.current) return;
    const refused = commit("stay");
    if (refused !== null) sync.say(t.notTaken(text, typeof refused === "string" ? refused : t.manyReadings));
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    const to = { Enter: "down", Tab: event.shiftKey ? "previous" : "next" }[event.key] as "down" | "next" | undefined;
    // Tab leads from the field to the readings of what was typed.
    if (event.key === "Tab" && !event.shiftKey && fault !== null && typeof fault !== "string") return;
    if (to !== undefined) {
      event.preventDefault();
      commit(to);
    } else if (event.key === "Escape") {
      isDone.current = true;
      onDone("stay");
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
  const { id, node, option } = row;
  if (option === null) {
    const title = typed.text.trim();
    return title === node.title ? null : edit((tree) => updateNode(tree, id, { title }));
  }
  const point = POINTS[column - 1];
  if (point === undefined) {
    const title = typed.text.trim();
    return title === option.title ? null : edit((tree) => updateOption(tree, id, { title }));
  }
  // Overrides of a project stay separate from the hours of its template.
  const field = option.override ? "override" : "hours";
  const read = readPoints(typed, point, option[field]);
  if (!read.ok) return refusedOf(read, t.unreadable);
  return edit((tree) => updateOption(tree, id, { [field]: read.value }));
}
