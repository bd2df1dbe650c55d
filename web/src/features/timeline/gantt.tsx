import { memo, type PointerEvent } from "react";
import styles from "./chart.module.css";
import type { Layout, Span } from "./layout.ts";
import { arrowPath, type MovedBar, type Row, type RowLink, sidesOf } from "./rows.ts";
import { timelineTexts as t } from "./texts.ts";

/** An arrow that is being drawn. */
type Preview =
  | { readonly from: Row; readonly to: Row }
  | { readonly from: Row; readonly x: number; readonly y: number };

interface GanttProps {
  readonly layout: Layout;
  readonly rows: readonly Row[];
  readonly shown: readonly Row[];
  readonly links: readonly RowLink[];
  /** The lines near the window. */
  readonly range: readonly [first: number, last: number];
  readonly rowHeight: number;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
  readonly preview: Preview | null;
  /** Begins an arrow at the end of a bar; null where nothing can be changed. */
  readonly onDrag: ((row: Row, event: PointerEvent<Element>) => void) | null;
  /** The bars that can be moved, and the one that is. */
  readonly movable: ReadonlySet<string>;
  readonly moved: MovedBar | null;
  /** The day on which that one starts. */
  readonly movedTo: string | null;
  readonly onMove: (row: Row, event: PointerEvent<Element>) => void;
}

/** The bars with what connects them. The table beside them says the same in words, and has the keyboard. */
export function Gantt({
  layout,
  rows,
  shown,
  links,
  range,
  rowHeight,
  selectedId,
  onSelect,
  preview,
  onDrag,
  movable,
  moved,
  movedTo,
  onMove,
}: GanttProps) {
  const { width, bars, baseline } = layout;
  const height = rows.length * rowHeight;
  const [first, last] = range;
  const near = links.filter(({ from, to }) => Math.min(from.at, to.at) < last && Math.max(from.at, to.at) >= first);
  const middle = (row: Row) => row.at * rowHeight + rowHeight / 2;
  const selected = shown.find(({ id }) => id === selectedId);
  const shiftOf = (id: string) => (moved?.id === id ? moved.days * layout.dayPx : 0);
  const placeOf = ({ id }: Row): Span | undefined => {
    const [bar, shift] = [bars.get(id), shiftOf(id)];
    return bar && { left: bar.left + shift, right: bar.right + shift };
  };
  return (
    <svg className={styles.gantt} width={width} height={height} aria-hidden="true">
      <Days layout={layout} height={height} />
      {selected && (
        <rect className={styles.selected} x={0} y={selected.at * rowHeight} width={width} height={rowHeight} />
      )}
      {shown.map((row) => (
        <Bar
          key={row.id}
          row={row}
          y={row.at * rowHeight}
          rowHeight={rowHeight}
          bar={bars.get(row.id)}
          before={baseline.get(row.id)}
          isSelected={row.id === selectedId}
          onSelect={onSelect}
          onDrag={onDrag}
          onMove={movable.has(row.id) ? onMove : null}
          shift={shiftOf(row.id)}
          movedTo={moved?.id === row.id ? movedTo : null}
        />
      ))}
      {near.map(({ from, to, dependency: { type }, isCritical }) => {
        const sides = sidesOf(type);
        const [a, b] = [placeOf(from), placeOf(to)];
        if (!a || !b) return null;
        const isOfSelected = from.id === selectedId || to.id === selectedId;
        return (
          <path
            key={`${from.id} ${to.id} ${type}`}
            className={`${styles.arrow} ${isOfSelected ? styles.ofSelected : isCritical ? styles.criticalArrow : ""}`}
            markerEnd={`url(#arrow${isOfSelected ? "-selected" : ""})`}
            d={arrowPath(
              [sides.out === 1 ? a.right : a.left, middle(from)],
              [sides.into === 1 ? b.left : b.right, middle(to)],
              sides,
            )}
          />
        );
      })}
      {preview && <PreviewArrow preview={preview} bars={bars} middle={middle} />}
      <Today layout={layout} height={height} />
      <defs>
        {["arrow", "arrow-selected"].map((id) => (
          <marker key={id} id={id} viewBox="0 0 6 6" refX={5.5} refY={3} markerWidth={6} markerHeight={6} orient="auto">
            <path className={id === "arrow" ? styles.tipOfArrow : styles.tipOfSelected} d="M0 0 6 3 0 6Z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}

interface DaysProps {
  readonly layout: Layout;
  readonly height: number;
}

/** What is behind the bars, from the first line to the last: rendered once, whatever part of it shows. */
const Days = memo(({ layout: { off, marks, xOfDay, startDay }, height }: DaysProps) => (
  <>
    {off.map(({ left, right }) => (
      <rect key={left} className={styles.off} x={left} y={0} width={right - left} height={height} />
    ))}
    <path className={styles.startLine} d={`M${xOfDay(startDay)} 0V${height}`} />
    {marks.map(({ milestone, day }) => (
      <path key={milestone.id} className={styles.milestoneLine} d={`M${xOfDay(day + 1)} 0V${height}`} />
    ))}
  </>
));

const Today = memo(({ layout: { today, width }, height }: DaysProps) =>
  today > 0 && today < width ? <path className={styles.todayLine} d={`M${today} 0V${height}`} /> : null,
);

interface BarProps extends Pick<GanttProps, "onSelect" | "onDrag" | "rowHeight"> {
  readonly row: Row;
  readonly y: number;
  readonly bar: Span | undefined;
  readonly before: Span | undefined;
  readonly isSelected: boolean;
  /** Null where the bar cannot be moved. */
  readonly onMove: GanttProps["onMove"] | null;
  /** By how much it is shown to the right of where it is, in pixels. */
  readonly shift: number;
  readonly movedTo: string | null;
}

const Bar = memo(({ row, y, rowHeight, bar: place, before, isSelected, ...props }: BarProps) => {
  if (!place) return null;
  const { onSelect, onDrag, onMove, shift, movedTo } = props;
  const bar = { left: place.left + shift, right: place.right + shift };
  const { id, title, isGroup, isDone, isCritical } = row;
  const height = isGroup ? 6 : 14;
  const at = y + (rowHeight - height) / 2 - (before ? 2 : 0);
  const width = bar.right - bar.left;
  const kind = isGroup ? styles.summary : isDone ? styles.doneBar : isCritical ? styles.critical : styles.bar;
  return (
    // A finger that scrolls selects nothing: only once it has tapped.
    <g
      className={styles.item}
      onPointerDown={({ pointerType }) => pointerType !== "touch" && onSelect(id)}
      onPointerUp={({ pointerType }) => pointerType === "touch" && onSelect(id)}
    >
      <rect className={styles.hit} x={bar.left - 12} y={y} width={width + 24} height={rowHeight} />
      {before && (
        <rect
          className={styles.before}
          x={before.left}
          y={at + height + 2}
          width={before.right - before.left}
          height={3}
        />
      )}
      {shift !== 0 && <rect className={styles.movedFrom} x={place.left} y={at} width={width} height={height} rx={3} />}
      <rect
        className={`${kind} ${isSelected ? styles.chosen : ""} ${onMove ? styles.movable : ""}`}
        x={bar.left}
        y={at}
        width={width}
        height={height}
        rx={isGroup ? 1 : 3}
        onPointerDown={onMove ? (event) => onMove(row, event) : undefined}
      />
      <text className={styles.name} x={bar.right + 14} y={y + rowHeight / 2 + 4}>
        {movedTo ? t.startsOn(movedTo) : title.length > 40 ? `${title.slice(0, 39)}…` : title}
      </text>
      {onDrag && !isGroup && (
        <circle
          className={styles.handle}
          cx={bar.right + 5}
          cy={at + height / 2}
          r={5}
          onPointerDown={(event) => onDrag(row, event)}
        >
          <title>{t.task.linkEnd(title)}</title>
        </circle>
      )}
    </g>
  );
});

interface PreviewProps {
  readonly preview: Preview;
  readonly bars: Layout["bars"];
  readonly middle: (row: Row) => number;
}

function PreviewArrow({ preview, bars, middle }: PreviewProps) {
  const start = bars.get(preview.from.id);
  if (!start) return null;
  const begin = `M${start.right} ${middle(preview.from)}`;
  if ("x" in preview) return <path className={styles.preview} d={`${begin}L${preview.x} ${preview.y}`} />;
  if (preview.to === preview.from) return null;
  const end = bars.get(preview.to.id);
  const to: [number, number] = [end?.left ?? start.right + 20, middle(preview.to)];
  const d = arrowPath([start.right, middle(preview.from)], to, { out: 1, into: 1 });
  return <path className={styles.preview} d={d} />;
}
