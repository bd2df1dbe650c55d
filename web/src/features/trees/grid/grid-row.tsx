import { type MouseEvent, memo, type PointerEvent, useRef } from "react";
import { pointsOf } from "../../../../../domain/tree/shape.ts";
import { formatExactHours, formatHours } from "../../../ui/numbers/format.ts";
import type { SetFocus } from "../editor.tsx";
import { isOpenQuestion } from "../panel/headline.ts";
import { toggle } from "../saving/edits.ts";
import type { RefusedCell, RefusedRow } from "../saving/refused-cells.ts";
import type { TreeSync } from "../saving/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import { CellInput, type DoneTo } from "./cell-input.tsx";
import styles from "./outline-grid.module.css";
import { lacksRange } from "./read-points.ts";
import { ROW_HEIGHT } from "./row-height.ts";
import { expectedOf, INDENT, isSameRow, POINTS, type Row, valueAt } from "./rows.ts";

const t = treeTexts.editor;

interface GridRowProps {
  readonly row: Row;
  /** What was typed and could not be taken. */
  readonly refused: RefusedRow | undefined;
  /** Whether Tab leads here, because nothing has had the focus yet. */
  readonly isTabStop: boolean;
  /** The column that has the focus; null if the row has not. */
  readonly column: number | null;
  readonly typed: string | null;
  readonly isPicked: boolean;
  /** Expected hours of a question with everything that counts below it. */
  readonly nodeHours: number;
  /** By how many hours choosing it would change the P80; null if it counts already. */
  readonly ghost: number | null;
  /** The largest pessimistic hours of the tree, for the range. */
  readonly scale: number;
  readonly sync: TreeSync | null;
  readonly setFocus: SetFocus;
  readonly setOpen: (id: string, isOpen: boolean) => void;
  /** Typing has ended, stored or not, in the line `at`. */
  readonly onDone: (at: number, to: DoneTo) => void;
}

/** A line of the outline. */
function Line({
  row,
  refused,
  isTabStop,
  column,
  typed,
  isPicked,
  nodeHours,
  ghost,
  scale,
  sync,
  setFocus,
  setOpen,
  onDone,
}: GridRowProps) {
  const { id, at, node, option, depth, isActive, hasChildren, isOpen } = row;
  const points = option && pointsOf(option);
  const isSelectable = sync !== null && option !== null && node.kind !== "group";
  const isTouchedAgain = useRef(false);
  const edit = (index: number) => sync && setFocus({ rowId: id, column: index, typed: valueAt(row, index) });
  const cell = (index: number) => ({
    role: "gridcell",
    tabIndex: column === index || (isTabStop && index === 0) ? 0 : -1,
    "data-focused": column === index || undefined,
    onFocus: () => column !== index && setFocus({ rowId: id, column: option ? index : 0, typed: null }),
    onDoubleClick: () => edit(index),
    // A finger that touches the cell that has the focus edits it: nobody double-clicks on a phone.
    onPointerDown: ({ pointerType }: PointerEvent) => {
      isTouchedAgain.current = pointerType === "touch" && column === index && typed === null;
    },
    onClick: () => isTouchedAgain.current && edit(index),
  });
  const isTyped = (index: number) => sync !== null && column === index && typed !== null;
  const input = (index: number) =>
    sync && (
      <CellInput
        row={row}
        column={index}
        typed={typed ?? ""}
        // A key that begins to type replaces it.
        refused={typed === valueAt(row, index) ? refused?.[index] : undefined}
        sync={sync}
        onDone={(to) => onDone(at, to)}
        onRefused={(cell) => sync.refuse(id, index, cell)}
      />
    );
  const wrong = (index: number) => refused?.[index];
  const lacks = sync !== null && points !== null && lacksRange(points);
  const choose = (event: MouseEvent) => {
    event.stopPropagation();
    setFocus({ rowId: id, column: 0, typed: null });
    if (isSelectable) sync.edit(toggle(row));
  };
  const offers = ghost !== null && node.kind !== "group" && (ghost !== 0 || points !== null || hasChildren);
  const expected = option === null ? nodeHours : expectedOf(row);
  const name = option ? option.title : node.title;
  return (
    <tr
      aria-rowindex={at + 2}
      aria-level={depth + 1}
      aria-posinset={row.index + 1}
      aria-setsize={row.siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isPicked}
      className={`${styles.row} ${offers ? styles.offers : ""} ${option ? "" : styles.node} ${isActive ? "" : styles.dormant} ${isPicked || column !== null ? styles.current : ""}`}
      style={{ top: at * ROW_HEIGHT, height: ROW_HEIGHT, lineHeight: `${ROW_HEIGHT - 1}px` }}
      data-row={id}
    >
      <td
        {...cell(0)}
        className={styles.title}
        data-drag={sync !== null || undefined}
        style={{ paddingLeft: 4 + depth * INDENT }}
      >
        <span
          className={`${styles.fold} ${hasChildren ? (isOpen ? styles.open : "") : styles.leaf}`}
          aria-hidden="true"
          data-fold={hasChildren}
          onClick={(event) => {
            event.stopPropagation();
            if (hasChildren) setOpen(id, !isOpen);
          }}
        />
        {option && (
          <span
            className={`${styles.mark} ${styles[node.kind]} ${option.selected || node.kind === "group" ? styles.chosen : ""} ${isSelectable ? styles.selectable : ""}`}
            aria-hidden="true"
            data-choose={name}
            onClick={choose}
          />
        )}
        {isTyped(0) ? (
          input(0)
        ) : (
          <span className={styles.name} title={name}>
            {wrong(0) ? <Wrong cell={wrong(0)} /> : name}
            {option === null && (
              <span className={styles.kind} title={treeTexts.estimation.kindHints[node.kind]}>
                {treeTexts.estimation.kinds[node.kind]}
                {node.required && `, ${treeTexts.estimation.required}`}
              </span>
            )}
            {option && option.quantity !== 1 && (
              <span className={styles.kind}>
                × {formatExactHours(option.quantity)} {option.unit}
              </span>
            )}
            {option?.role && <span className={styles.kind}>{option.role}</span>}
          </span>
        )}
        {option && <span className="unseen">{isActive ? t.counts : t.countsNot}</span>}
        {sync && column !== null && <span className={styles.grip} data-grip="true" aria-hidden="true" />}
      </td>
      {option ? (
        POINTS.map((point, index) => (
          <td key={point} {...cell(index + 1)} className={styles.points}>
            {isTyped(index + 1) ? (
              input(index + 1)
            ) : wrong(index + 1) ? (
              <Wrong cell={wrong(index + 1)} isFocused={column === index + 1} />
            ) : (
              points && formatExactHours(points[point])
            )}
          </td>
        ))
      ) : (
        <td colSpan={3} className={styles.noPoints} />
      )}
      <td className={styles.range}>
        {lacks ? (
          <button type="button" tabIndex={-1} className={styles.exactly} title={t.exactlyHint} onClick={() => edit(1)}>
            {t.exactly(formatExactHours(points.likely))}
          </button>
        ) : (
          points &&
          points.pessimistic > 0 && (
            <span
              className={styles.bar}
              style={{
                left: `${(100 * points.optimistic * row.weight) / scale}%`,
                width: `max(3px, ${(100 * (points.pessimistic - points.optimistic) * row.weight) / scale}%)`,
              }}
            />
          )
        )}
      </td>
      <td className={styles.expected}>
        {option === null && nodeHours === 0 ? (
          <span className={styles.none}>{isActive && (isOpenQuestion(node) ? t.open : t.noHours)}</span>
        ) : (
          expected !== null && formatHours(expected)
        )}
      </td>
      <td className={styles.ghost}>{offers && <Delta hours={ghost} />}</td>
    </tr>
  );
}

/** Rendered again only where something that it shows has changed. */
export const GridRow = memo(Line, (before, after) => {
  const names = Object.keys(after) as (keyof GridRowProps)[];
  return names.every((name) => (name === "row" ? isSameRow(before.row, after.row) : before[name] === after[name]));
});

/** What was typed and could not be taken, with why: at its place where nothing else is to be read, else with the focus. */
function Wrong({ cell, isFocused = false }: { readonly cell: RefusedCell | undefined; readonly isFocused?: boolean }) {
  if (cell === undefined) return null;
  const why = typeof cell.fault === "string" ? cell.fault : t.manyReadings;
  return (
    <>
      <span className={styles.wrong} title={why}>
        {cell.text.trim() || why}
      </span>
      {isFocused && (
        <span role="alert" className={styles.fault}>
          {why}
        </span>
      )}
    </>
  );
}

/** A change of the total, with a sign, an arrow and a colour. */
const Delta = ({ hours }: { readonly hours: number }) => (
  <span className={hours > 0 ? styles.more : hours < 0 ? styles.less : ""}>
    {hours > 0 ? "▲ +" : hours < 0 ? "▼ −" : ""}
    {formatHours(Math.abs(hours))}
  </span>
);
