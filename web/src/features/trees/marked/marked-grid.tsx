import { Fragment, type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { hinted } from "../../../ui/hinted.ts";
import { parentOf } from "../find/places.ts";
import { bringIntoView } from "../outline/bring-into-view.ts";
import { ROW_HEIGHT } from "../outline/row-height.ts";
import type { Row } from "../outline/rows.ts";
import { useWindowRows } from "../outline/use-window-rows.ts";
import { treeTexts } from "../texts.ts";
import styles from "./marked-grid.module.css";
import type { CountedHours } from "./marked-hours.ts";
import { MarkedRow } from "./marked-row.tsx";
import type { MarkedTree } from "./marked-tree.ts";
import { markedTexts as t } from "./texts.ts";
import { optionsToView, viewedState } from "./viewed-state.ts";

const PAGE_ROWS = 12;

/** The line that is selected; a new object puts the focus there again. */
export interface Line {
  readonly id: string;
  /** Whether the focus stays where it is. */
  readonly isQuiet?: boolean;
  /** Whether nothing moves: what belongs to it is looked at elsewhere. */
  readonly isStill?: boolean;
}

/** What somebody has looked at, and how that changes. */
export interface Viewed {
  readonly ids: ReadonlySet<string>;
  readonly mark: (optionIds: readonly string[], isViewed: boolean) => void;
}

/** One more column of expected hours. */
export interface HoursColumn {
  readonly id: string;
  readonly name: string;
  readonly hours: CountedHours;
}

const NO_COLUMNS: readonly HoursColumn[] = [];

const NOTHING = () => {};

interface GridProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly marks: MarkedTree["marks"];
  /** Hours before; null where nothing is compared. */
  readonly before: CountedHours | null;
  /** Null where nothing adds up. */
  readonly after: CountedHours | null;
  /** What the columns of both are headed with, where not with Before and Hours. */
  readonly names?: readonly [before: string, after: string] | undefined;
  /** Columns behind those of what is compared. */
  readonly more?: readonly HoursColumn[];
  readonly line: Line | null;
  readonly setLine: (line: Line) => void;
  readonly setOpen: (id: string, isOpen: boolean) => void;
  /** Null where nobody keeps what was viewed. */
  readonly viewed: Viewed | null;
  /** Open threads of comments, by the lines that they are about; null where there cannot be any. */
  readonly talks: ReadonlyMap<string, number> | null;
  readonly onTalk?: (id: string) => void;
  /** What belongs to the selected line, to stand below it; null where it stands elsewhere. */
  readonly detail?: ReactNode;
}

/**
 * A tree to be read, with what happened to each line: a treegrid whose rows take the focus, as in the ARIA Authoring Practices.
 * Only the rows near the window, and the one with the focus, are in the document. Space marks a line as viewed, Enter is for its
 * comments.
 */
export function MarkedGrid({
  label,
  rows,
  marks,
  before,
  after,
  names = [t.columns.before, t.columns.after],
  more = NO_COLUMNS,
  line,
  setLine,
  setOpen,
  viewed,
  talks,
  onTalk = NOTHING,
  detail = null,
}: GridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const [first, last] = useWindowRows(grid, rows.length, ROW_HEIGHT);
  const row = useMemo(() => rows.find(({ id }) => id === line?.id), [rows, line]);
  useFocusedRow(grid, line);
  const onFocus = useCallback((id: string) => setLine({ id }), [setLine]);
  // The same function in every rendering, so that unchanged lines are not rendered again.
  const latest = useRef({ viewed, marks });
  latest.current = { viewed, marks };
  const onViewed = useCallback((of: Row, isViewed: boolean) => {
    const now = latest.current;
    now.viewed?.mark(optionsToView(of, now.marks), isViewed);
  }, []);

  const press = (event: KeyboardEvent) => {
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const go = (at: number) => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, at))];
      return () => next && setLine({ id: next.id });
    };
    const isViewed = viewed && viewedState(row, marks, viewed.ids);
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      ArrowDown: go(row.at + 1),
      ArrowUp: go(row.at - 1),
      PageDown: go(row.at + PAGE_ROWS),
      PageUp: go(row.at - PAGE_ROWS),
      Home: go(0),
      End: go(rows.length - 1),
      ArrowRight: () => (row.hasChildren && !row.isOpen ? setOpen(row.id, true) : go(row.at + 1)()),
      ArrowLeft: () => (row.hasChildren && row.isOpen ? setOpen(row.id, false) : go(parentOf(rows, row)?.at ?? 0)()),
      " ": () => isViewed !== null && onViewed(row, isViewed !== true),
      Enter: () => onTalk(row.id),
    };
    const isRow = event.target instanceof HTMLElement && event.target.dataset.row !== undefined;
    // A box or a button in the line has these keys itself.
    const action = isRow || !" Enter".includes(event.key) ? actions[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  };

  const [detailHeight, setDetailHeight] = useState(0);
  const tellHeight = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const watched = new ResizeObserver(() => setDetailHeight(element.offsetHeight));
    watched.observe(element);
    element.scrollIntoView({ block: "nearest" });
    return () => {
      watched.disconnect();
      setDetailHeight(0);
    };
  }, []);
  // The lines after it stand lower by its height.
  const shown = rows.slice(Math.max(0, first - Math.ceil(detailHeight / ROW_HEIGHT)), last);
  const lowerBy = (at: number) => (row && at > row.at ? detailHeight : 0);
  if (row && !shown.includes(row)) shown.push(row);
  return (
    <table
      ref={grid}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-readonly="true"
      className={`${styles.grid} ${before ? styles.compared : ""} ${more.length > 0 ? styles.many : ""}`}
      onKeyDown={press}
    >
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1} className={styles.heads}>
          <th role="columnheader" scope="col" className={styles.title}>
            {treeTexts.editor.columns.title}
          </th>
          <th role="columnheader" scope="col" className={styles.points}>
            {t.columns.points}
          </th>
          {before && (
            <th role="columnheader" scope="col" className={styles.before} {...hinted(names[0])}>
              {names[0]}
            </th>
          )}
          {after && (
            <th
              role="columnheader"
              scope="col"
              className={styles.after}
              {...hinted(names[1] === t.columns.after ? t.countedHint : names[1])}
            >
              {names[1]}
            </th>
          )}
          {before && (
            <th role="columnheader" scope="col" className={styles.delta}>
              {t.columns.delta}
            </th>
          )}
          {more.map(({ id, name }) => (
            <th role="columnheader" key={id} scope="col" className={styles.before} {...hinted(name)}>
              {name}
            </th>
          ))}
          {talks && (
            <th role="columnheader" scope="col" className={styles.talks}>
              <span className="unseen">{t.columns.talks}</span>
            </th>
          )}
          {viewed && (
            <th role="columnheader" scope="col" className={styles.viewed}>
              {t.columns.viewed}
            </th>
          )}
        </tr>
      </thead>
      <tbody
        role="rowgroup"
        className={styles.body}
        style={{ height: rows.length * ROW_HEIGHT + detailHeight, lineHeight: `${ROW_HEIGHT - 1}px` }}
      >
        {shown.map((each) => (
          <Fragment key={each.id}>
            <MarkedRow
              row={each}
              top={each.at * ROW_HEIGHT + lowerBy(each.at)}
              mark={marks.get(each.id)}
              before={before && (before.get(each.id) ?? 0)}
              after={after && (marks.get(each.id)?.kinds[0] === "removed" ? 0 : (after.get(each.id) ?? 0))}
              isFocused={each.id === row?.id}
              isTabStop={row === undefined && each.at === 0}
              viewed={viewed && viewedState(each, marks, viewed.ids)}
              hasViewed={viewed !== null}
              more={more}
              talks={talks && (talks.get(each.id) ?? 0)}
              onFocus={onFocus}
              onOpen={setOpen}
              onViewed={onViewed}
              onTalk={onTalk}
            />
            {each === row && detail !== null && (
              <tr role="row" ref={tellHeight} className={styles.detail} style={{ top: (each.at + 1) * ROW_HEIGHT }}>
                <td role="gridcell">{detail}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** Puts the focus on a line, and shows it, whenever it is set. */
function useFocusedRow(grid: { readonly current: HTMLTableElement | null }, line: Line | null): void {
  useEffect(() => {
    if (line === null || line.isStill) return;
    const element = grid.current?.querySelector<HTMLElement>(`[data-row="${line.id}"]`);
    if (!element || element.contains(document.activeElement)) return;
    if (!line.isQuiet) element.focus({ preventScroll: true });
    if (grid.current) bringIntoView(grid.current, element.getBoundingClientRect().top);
  }, [grid, line]);
}
