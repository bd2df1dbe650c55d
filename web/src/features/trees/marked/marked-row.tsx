import { memo } from "react";
import { pointsOf } from "../../../../../domain/tree/shape.ts";
import { IconComment } from "../../../ui/icons.tsx";
import { Delta } from "../../../ui/numbers/delta.tsx";
import { formatExactHours, formatHours } from "../../../ui/numbers/format.ts";
import folds from "../fold.module.css";
import { optionMark } from "../option-mark.ts";
import { indentOf, isSameRow, type Row } from "../outline/rows.ts";
import { treeTexts } from "../texts.ts";
import { Kind } from "./kind.tsx";
import styles from "./marked-grid.module.css";
import type { HoursColumn } from "./marked-grid.tsx";
import type { Mark } from "./marked-tree.ts";
import { markedTexts as t } from "./texts.ts";
import { pointsText } from "./value-text.ts";

interface MarkedRowProps {
  readonly row: Row;
  /** Where it stands in the grid, in pixels from its first line. */
  readonly top: number;
  readonly mark: Mark | undefined;
  /** Expected hours that counted before; null where nothing is compared. */
  readonly before: number | null;
  /** Null where nothing adds up. */
  readonly after: number | null;
  readonly isFocused: boolean;
  /** Whether Tab leads here, because nothing has had the focus yet. */
  readonly isTabStop: boolean;
  /** Whether it was viewed, `part` where only some of it was; null where nobody keeps that of it. */
  readonly viewed: boolean | "part" | null;
  /** Whether the grid has a column for that. */
  readonly hasViewed: boolean;
  readonly more: readonly HoursColumn[];
  /** Open threads of comments on it; null where the grid has no column for that. */
  readonly talks: number | null;
  readonly onFocus: (id: string) => void;
  readonly onOpen: (id: string, isOpen: boolean) => void;
  readonly onViewed: (row: Row, isViewed: boolean) => void;
  readonly onTalk: (id: string) => void;
}

/** A line of a tree with marks. */
function Line({
  row,
  top,
  mark,
  before,
  after,
  isFocused,
  isTabStop,
  viewed,
  hasViewed,
  more,
  talks,
  ...on
}: MarkedRowProps) {
  const { id, at, node, option, depth, hasChildren, isOpen } = row;
  const isRemoved = mark?.kinds[0] === "removed";
  const points = option && pointsOf(option);
  const title = option ? option.title : node.title;
  const former = mark?.changes.find(({ field }) => field === "title");
  const others = mark?.changes.filter(({ field }) => field !== "title") ?? [];
  return (
    <tr
      role="row"
      aria-rowindex={at + 2}
      aria-level={depth + 1}
      aria-posinset={row.index + 1}
      aria-setsize={row.siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isFocused}
      tabIndex={isFocused || isTabStop ? 0 : -1}
      className={`${styles.row} ${option ? "" : styles.node} ${row.isActive && !isRemoved ? "" : styles.dormant} ${mark ? styles[mark.kinds[0] ?? "changed"] : ""} ${isFocused ? styles.current : ""}`}
      style={{ top }}
      data-row={id}
      onFocus={() => isFocused || on.onFocus(id)}
    >
      <td role="gridcell" className={styles.title} style={{ paddingLeft: indentOf(row) }}>
        {hasChildren && (
          <span
            className={`${styles.fold} ${folds.fold} ${isOpen ? folds.open : ""}`}
            aria-hidden="true"
            onClick={() => on.onOpen(id, !isOpen)}
          />
        )}
        {mark?.kinds.map((kind) => (
          <Kind key={kind} kind={kind} />
        ))}
        <span className={styles.name} data-cut>
          {former && <s className={styles.former}>{String(former.before)}</s>} {title}
          {option === null && (
            <span className={styles.said}>
              {treeTexts.estimation.kinds[node.kind]}
              {node.required && `, ${treeTexts.estimation.required}`}
            </span>
          )}
          {option && option.quantity !== 1 && (
            <span className={styles.said}>
              × {formatExactHours(option.quantity)} {option.unit}
            </span>
          )}
          {option?.role && <span className={styles.said}>{option.role}</span>}
          {others.length > 0 && (
            <span className={styles.fields}>
              {others.map(({ field, after }) => t.changed(field, after)).join(", ")}
            </span>
          )}
        </span>
        {option && (
          <span
            role="img"
            aria-label={row.isActive ? treeTexts.editor.counts : treeTexts.editor.countsNot}
            className={`${styles.mark} ${optionMark(node, option, row.isActive)}`}
          />
        )}
      </td>
      <td role="gridcell" className={styles.points}>
        {points && pointsText(points)}
      </td>
      {before !== null && (
        <td role="gridcell" className={styles.before}>
          {before > 0 ? formatHours(before) : ""}
        </td>
      )}
      {after !== null && (
        <td role="gridcell" className={styles.after}>
          {after > 0 ? formatHours(after) : ""}
        </td>
      )}
      {before !== null && after !== null && (
        <td role="gridcell" className={styles.delta}>
          <Delta hours={after - before} />
        </td>
      )}
      {more.map(({ id: of, hours }) => {
        const counted = hours.get(id) ?? 0;
        return (
          <td role="gridcell" key={of} className={styles.before}>
            {counted > 0 ? formatHours(counted) : ""}
          </td>
        );
      })}
      {talks !== null && (
        <td role="gridcell" className={styles.talks}>
          {talks > 0 && (
            <button
              type="button"
              tabIndex={-1}
              aria-label={treeTexts.editor.talks(talks, title)}
              onClick={() => on.onTalk(id)}
            >
              <IconComment size={14} /> {talks}
            </button>
          )}
        </td>
      )}
      {hasViewed && (
        <td role="gridcell" className={styles.viewed}>
          {viewed !== null && (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={option ? t.viewed(title) : t.viewedAll(title)}
              checked={viewed === true}
              ref={(box) => {
                if (box) box.indeterminate = viewed === "part";
              }}
              onChange={({ currentTarget }) => on.onViewed(row, currentTarget.checked)}
            />
          )}
        </td>
      )}
    </tr>
  );
}

/** Rendered again only where something that it shows has changed. */
export const MarkedRow = memo(Line, (before, after) => {
  const names = Object.keys(after) as (keyof MarkedRowProps)[];
  return names.every((name) => (name === "row" ? isSameRow(before.row, after.row) : before[name] === after[name]));
});
