import { type CSSProperties, memo } from "react";
import { pointsOf } from "../../../../../domain/tree/shape.ts";
import { described } from "../../../ui/hinted.ts";
import { IconComment } from "../../../ui/icons.tsx";
import { hueOf, initialsOf } from "../../../ui/initials.ts";
import { Delta } from "../../../ui/numbers/delta.tsx";
import { formatExactHours, formatHours } from "../../../ui/numbers/format.ts";
import person from "../../../ui/person.module.css";
import type { SetFocus } from "../editor.tsx";
import folds from "../fold.module.css";
import { optionMark } from "../option-mark.ts";
import { isOpenQuestion } from "../panels/headline.ts";
import type { RefusedCell, RefusedRow } from "../sync/refused-cells.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import type { DoneTo, InTitle } from "./cell-input.tsx";
import type { NewLine } from "./new-line.ts";
import styles from "./outline-grid.module.css";
import { ROW_HEIGHT } from "./row-height.ts";
import { expectedOf, indentOf, isSameRow, POINTS, type Row, valueAt } from "./rows.ts";
import { lacksRange } from "./typed-points.ts";
import type { Typing } from "./use-typing.ts";

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
  /** Open threads of comments on it. */
  readonly talks: number;
  readonly onTalk: (id: string) => void;
  /** The names of others who are here, and of those who have just changed it. */
  readonly here: string | undefined;
  readonly editedBy: string | undefined;
  readonly sync: TreeSync | null;
  readonly setFocus: SetFocus;
  /** Missing until it is loaded. */
  readonly CellInput: Typing["CellInput"] | undefined;
  /** Set where the line is not yet part of the tree. */
  readonly fresh: NewLine | null;
  /** Typing has ended, stored or not, in the line `at`. */
  readonly onDone: (at: number, to: DoneTo, isEmpty: boolean) => void;
  readonly inTitle: InTitle;
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
  talks,
  onTalk,
  here,
  editedBy,
  sync,
  setFocus,
  CellInput,
  fresh,
  onDone,
  inTitle,
}: GridRowProps) {
  const { id, at, node, option, depth, isActive, hasChildren, isOpen } = row;
  const points = option && pointsOf(option);
  const isSelectable = sync !== null && option !== null && node.kind !== "group";
  const cell = (index: number) => ({
    role: "gridcell",
    tabIndex: column === index || (isTabStop && index === 0) ? 0 : -1,
    "data-focused": column === index || undefined,
  });
  const isTyped = (index: number) => sync !== null && CellInput !== undefined && column === index && typed !== null;
  const input = (index: number) =>
    sync &&
    CellInput && (
      <CellInput
        row={row}
        column={index}
        typed={typed ?? ""}
        refused={refused?.[index]}
        fresh={fresh}
        sync={sync}
        onDone={(to, isEmpty = false) => onDone(at, to, isEmpty)}
        inTitle={inTitle}
        onRefused={(cell) => sync.refuse(id, index, cell)}
      />
    );
  const wrong = (index: number) => refused?.[index];
  const lacks = sync !== null && points !== null && lacksRange(points);
  const offers = ghost !== null && node.kind !== "group" && (ghost !== 0 || points !== null || hasChildren);
  const expected = option === null ? nodeHours : expectedOf(row);
  const name = option ? option.title : node.title;
  return (
    <tr
      role="row"
      aria-rowindex={at + 2}
      aria-level={depth + 1}
      aria-posinset={row.index + 1}
      aria-setsize={row.siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isPicked}
      className={`${styles.row} ${offers ? styles.offers : ""} ${option ? "" : styles.node} ${isActive ? "" : styles.dormant} ${isPicked || column !== null ? styles.current : ""} ${column === null ? "" : styles.focused}`}
      style={{ top: at * ROW_HEIGHT }}
      data-row={id}
      data-edited={editedBy}
      data-here={here}
    >
      <td
        {...cell(0)}
        className={styles.title}
        data-drag={sync !== null || undefined}
        style={{ paddingLeft: indentOf(row) }}
      >
        {hasChildren && (
          <span
            className={`${styles.fold} ${folds.fold} ${isOpen ? folds.open : ""}`}
            aria-hidden="true"
            data-fold={true}
          />
        )}
        {isTyped(0) ? (
          input(0)
        ) : (
          <span className={styles.name} data-cut data-hint={whyOf(wrong(0))}>
            {wrong(0) ? <Wrong cell={wrong(0)} /> : name}
            {option === null && (
              <span className={styles.kind} {...described(treeTexts.estimation.kindHints[node.kind])}>
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
        {option && (
          <span
            role="img"
            aria-label={isActive ? t.counts : t.countsNot}
            className={`${styles.mark} ${optionMark(node, option, isActive)} ${isSelectable ? styles.selectable : ""}`}
            data-choose={name}
          />
        )}
        {talks > 0 && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.talks}
            aria-label={t.talks(talks, name)}
            data-hint={t.talks(talks, name)}
            onClick={() => onTalk(id)}
          >
            <IconComment size={14} /> {talks}
          </button>
        )}
        {(editedBy ?? here) && (
          <span
            className={`${person.initials} ${styles.other}`}
            style={{ "--hue": hueOf(editedBy ?? here ?? "") } as CSSProperties}
            data-initials={initialsOf((editedBy ?? here)?.split(", ")[0] ?? "")}
            {...described(editedBy === undefined ? t.isHere(here) : t.editedBy(editedBy))}
          />
        )}
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
        <td role="gridcell" colSpan={3} className={styles.noPoints} />
      )}
      <td role="gridcell" className={styles.range}>
        {lacks ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.exactly}
            {...described(t.exactlyHint)}
            onClick={() => setFocus({ rowId: id, column: 1, typed: valueAt(row, 1) })}
          >
            {t.exactly(formatExactHours(points.likely))}
          </button>
        ) : (
          points &&
          points.pessimistic > 0 && (
            <span
              className={styles.bar}
              style={{
                marginLeft: `${(100 * points.optimistic * row.weight) / scale}%`,
                width: `max(3px, ${(100 * (points.pessimistic - points.optimistic) * row.weight) / scale}%)`,
              }}
            />
          )
        )}
      </td>
      <td role="gridcell" className={styles.expected}>
        {option === null && nodeHours === 0 ? (
          <span className={styles.none}>{isActive && (isOpenQuestion(node) ? t.open : t.noHours)}</span>
        ) : (
          expected !== null && formatHours(expected)
        )}
      </td>
      <td role="gridcell" className={styles.ghost}>
        {offers && (ghost === 0 ? formatHours(0) : <Delta hours={ghost} />)}
      </td>
    </tr>
  );
}

/** Rendered again only where something that it shows has changed. */
export const GridRow = memo(Line, (before, after) => {
  const names = Object.keys(after) as (keyof GridRowProps)[];
  return names.every((name) => (name === "row" ? isSameRow(before.row, after.row) : before[name] === after[name]));
});

const whyOf = (cell: RefusedCell | undefined) => (typeof cell?.fault === "object" ? t.manyReadings : cell?.fault);

/** What was typed and could not be taken, with why: at its place where nothing else is to be read, else with the focus. */
function Wrong({ cell, isFocused = false }: { readonly cell: RefusedCell | undefined; readonly isFocused?: boolean }) {
  if (cell === undefined) return null;
  const why = whyOf(cell);
  return (
    <>
      <span className={styles.wrong} {...described(why)}>
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
