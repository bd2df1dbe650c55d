import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import { formatDay } from "../../ui/numbers/format.ts";
import { ROW_HEIGHT } from "../trees/outline/row-height.ts";
import { useWindowRows } from "../trees/outline/use-window-rows.ts";
import styles from "./chart.module.css";
import { ChartHead } from "./chart-head.tsx";
import { Gantt } from "./gantt.tsx";
import type { Layout } from "./layout.ts";
import type { Row, RowLink } from "./rows.ts";
import { timelineTexts as t } from "./texts.ts";
import { useMovedBar } from "./use-moved-bar.ts";

/** A line of the list on phones has two lines of text. */
const NARROW_ROW = 56;
const PAGE_ROWS = 12;
/** What is at the top of the window: the page's head and that of the chart. */
const HEADS_PX = 48 + 64;

interface ChartProps {
  readonly holidays: readonly string[];
  /** What they are called, by date, as far as it is known. */
  readonly holidayNames: ReadonlyMap<string, string> | null;
  readonly layout: Layout;
  readonly rows: readonly Row[];
  readonly links: readonly RowLink[];
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
  /** The task for which one that waits for it is chosen. */
  readonly linking: Row | null;
  /** Null where nothing can be changed, as below. */
  readonly setLinking: ((id: string | null) => void) | null;
  readonly onLink: (from: string, to: string) => void;
  /** The tasks whose bars can be moved. */
  readonly movable: ReadonlySet<string>;
  readonly onMoveBar: (id: string, days: number, onSettled: () => void) => void;
  readonly milestones: readonly Milestone[];
  readonly onMoveStart: ((date: string) => void) | null;
  readonly onMoveMilestone: ((milestone: Milestone, date: string) => void) | null;
  readonly isNarrow: boolean;
}

/**
 * Tasks as a table and as bars: two views of the same lines with one selection. Only the lines near the window are in the
 * document. The page scrolls up and down, the bars sideways.
 */
export function Chart({
  layout,
  rows,
  links,
  selectedId,
  onSelect,
  linking,
  setLinking,
  onLink,
  movable,
  onMoveBar,
  isNarrow,
  ...more
}: ChartProps) {
  const rowHeight = isNarrow ? NARROW_ROW : ROW_HEIGHT;
  const body = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const bars = useRef<HTMLElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [first, last, measure] = useWindowRows(body, rows.length, rowHeight);
  const [drag, setDrag] = useState<{ readonly from: Row; readonly x: number; readonly y: number } | null>(null);
  const move = useMovedBar({ layout, movable, onMoveBar });
  const selected = rows.findIndex(({ id }) => id === selectedId);
  const current = Math.max(0, selected);

  // The bars begin where today is, or the work; anew with another scale, but not with each change of the schedule.
  const begunAt = useRef("");
  useLayoutEffect(() => {
    const view = bars.current;
    const { zoom, today, width, startDay, xOfDay } = layout;
    if (!view || begunAt.current === zoom) return;
    begunAt.current = zoom;
    const begin = xOfDay(startDay);
    const at = today > begin && today < width ? today : begin;
    view.scrollLeft = at - Math.min(120, view.clientWidth / 4);
  });

  // The focus can bring a day into view that is further to the left or right: the bars follow. Not where the bars led.
  const headAt = useRef(0);
  useEffect(() => {
    const view = head.current;
    const follow = () => {
      if (view && bars.current && view.scrollLeft !== headAt.current) bars.current.scrollLeft = view.scrollLeft;
    };
    view?.addEventListener("scroll", follow);
    return () => view?.removeEventListener("scroll", follow);
  });

  const focusRow = useRef(false);
  useEffect(() => {
    if (!focusRow.current) return;
    focusRow.current = false;
    table.current?.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus({ preventScroll: true });
  });
  const go = (to: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[at];
    if (!row || !body.current) return;
    const top = body.current.getBoundingClientRect().top + at * rowHeight;
    const by =
      top < HEADS_PX ? top - HEADS_PX - 40 : top > innerHeight - rowHeight * 2 ? top - innerHeight + rowHeight * 3 : 0;
    if (by !== 0) {
      scrollBy(0, by);
      measure();
    }
    showBar(bars.current, layout.bars.get(row.id)?.left);
    focusRow.current = true;
    onSelect(row.id);
  };
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + PAGE_ROWS,
      PageUp: current - PAGE_ROWS,
      Home: 0,
      End: rows.length - 1,
    };
    const to = moves[key];
    const days = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const row = rows[current];
    if (to !== undefined) go(to);
    else if (days && row && !isNarrow) move.step(row, days * (event.shiftKey ? 7 : 1));
    else if (move.isOpen && key === "Escape") move.giveUp();
    else if (move.isOpen && key === "Enter") move.keep();
    else if (key === "Escape" && linking) {
      setLinking?.(null);
      go(linking.at);
    } else if (key === "Enter" && linking && rows[current]) onLink(linking.id, rows[current].id);
    else if (key === "Enter" || key === " ") go(current);
    else return;
    event.preventDefault();
  };

  /** Draws an arrow from the end of a bar to the line that the pointer is on. */
  const beginDrag = setLinking
    ? (row: Row, { pointerId }: PointerEvent<Element>) => {
        const done = new AbortController();
        const place = ({ clientX, clientY }: globalThis.PointerEvent) => {
          const box = bars.current?.getBoundingClientRect();
          return { x: clientX - (box?.left ?? 0) + (bars.current?.scrollLeft ?? 0), y: clientY - (box?.top ?? 0) };
        };
        const end = () => {
          done.abort();
          setDrag(null);
        };
        const { signal } = done;
        addEventListener(
          "pointermove",
          (event) => event.pointerId === pointerId && setDrag({ from: row, ...place(event) }),
          { signal },
        );
        addEventListener("pointercancel", end, { signal });
        addEventListener("keydown", (event) => event.key === "Escape" && end(), { signal });
        addEventListener(
          "pointerup",
          (event) => {
            end();
            const to = rows[Math.floor(place(event).y / rowHeight)];
            if (to && to !== row) onLink(row.id, to.id);
          },
          { signal },
        );
      }
    : null;

  const shown = rows.slice(first, last);
  const focusedRow = rows[current];
  if (focusedRow && (current < first || current >= last)) shown.push(focusedRow);
  return (
    <div className={styles.chart} style={{ "--row": `${rowHeight}px` } as CSSProperties}>
      {!isNarrow && <ChartHead ref={head} layout={layout} {...more} />}
      <span role="status" className="unseen">
        {move.isOpen && move.day && t.movedTo(move.day)}
      </span>
      <div ref={body} className={styles.body} style={{ height: rows.length * rowHeight }}>
        <table
          ref={table}
          role="treegrid"
          aria-label={t.tasks}
          aria-rowcount={rows.length + 1}
          className={styles.table}
          onKeyDown={press}
          onBlur={move.keep}
        >
          <thead className="unseen">
            <tr aria-rowindex={1}>
              <th scope="col">{t.columns.title}</th>
              <th scope="col">{t.columns.role}</th>
              <th scope="col">{t.columns.start}</th>
              <th scope="col">{t.columns.end}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line
                key={row.id}
                row={row}
                top={row.at * rowHeight}
                isSelected={row.id === selectedId}
                isTabStop={row.at === current}
                onSelect={onSelect}
              />
            ))}
          </tbody>
        </table>
        {!isNarrow && (
          // It scrolls, so the keyboard has to reach it.
          <section
            ref={bars}
            aria-label={t.bars}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
            tabIndex={0}
            className={styles.bars}
            onScroll={({ currentTarget }) => {
              if (!head.current) return;
              head.current.scrollLeft = currentTarget.scrollLeft;
              headAt.current = head.current.scrollLeft;
            }}
          >
            <Gantt
              layout={layout}
              rows={rows}
              shown={shown}
              links={links}
              range={[first, last]}
              rowHeight={rowHeight}
              selectedId={selectedId}
              onSelect={onSelect}
              preview={drag ?? (linking && focusedRow ? { from: linking, to: focusedRow } : null)}
              onDrag={beginDrag}
              movable={movable}
              moved={move.moved}
              movedTo={move.day}
              onMove={move.drag}
            />
          </section>
        )}
      </div>
    </div>
  );
}

/** Scrolls sideways to where a bar begins, if it does not show. */
function showBar(view: HTMLElement | null, left: number | undefined): void {
  if (!view || left === undefined) return;
  if (left < view.scrollLeft || left > view.scrollLeft + view.clientWidth - 40) view.scrollLeft = left - 80;
}

interface LineProps {
  readonly row: Row;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  readonly onSelect: (id: string) => void;
}

const Line = memo(({ row, top, isSelected, isTabStop, onSelect }: LineProps) => {
  const { at, id, title, role, depth, isGroup, isDone, isDropped, isCritical, start, end } = row;
  return (
    <tr
      aria-rowindex={at + 2}
      aria-level={depth + 1}
      aria-selected={isSelected}
      data-row={at}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(id)}
    >
      <td className={styles.title} style={{ paddingLeft: 8 + depth * 16 }} data-cut="">
        <span className={isGroup ? styles.group : undefined}>{title}</span>
        {isDone && <span className={styles.done}>{t.done}</span>}
        {isDropped && <span className={styles.done}>{t.dropped}</span>}
        {isCritical && <span className="unseen">, {t.critical}</span>}
      </td>
      <td className={styles.role}>{role}</td>
      {start === null || end === null ? (
        <td className={styles.date} colSpan={2}>
          {t.unscheduled}
        </td>
      ) : (
        <>
          <td className={styles.date}>{formatDay(start)}</td>
          <td className={styles.date}>{formatDay(end)}</td>
        </>
      )}
    </tr>
  );
});
