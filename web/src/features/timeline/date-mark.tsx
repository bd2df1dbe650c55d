import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { showBelow } from "../../ui/lists/show-below.ts";
import styles from "./chart.module.css";
import { dragDays } from "./drag-days.ts";
import { timelineTexts as t } from "./texts.ts";

interface MarkProps {
  readonly kind: "start" | "milestone";
  readonly day: number;
  readonly xOfDay: (day: number) => number;
  readonly dayPx: number;
  readonly nameOf: (day: number) => string;
  /** Called once it is moved; null where it cannot be. */
  readonly onMove: ((day: number) => void) | null;
  /** Shows while it has the pointer or the focus. */
  readonly children?: ReactNode;
}

/**
 * A day on the axis that can be moved: dragged, or by arrow keys. Until the pointer is up, or Enter is pressed or the focus
 * leaves, it is only shown at the new place, and Escape takes it back: so a move is one step.
 */
export function DateMark({ kind, day, xOfDay, dayPx, nameOf, onMove, children }: MarkProps) {
  const [moved, setMoved] = useState<number | null>(null);
  const tip = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLButtonElement>(null);
  const shown = moved ?? day;
  const keep = (to: number | null) => {
    setMoved(null);
    if (to !== null && to !== day) onMove?.(to);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" && tip.current?.matches(":popover-open")) tip.current.hidePopover();
    if (!onMove) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) setMoved(shown + step * (event.shiftKey ? 7 : 1));
    else if (event.key === "Enter" && moved !== null) keep(moved);
    else if (event.key === "Escape" && moved !== null) setMoved(null);
    else return;
    event.preventDefault();
  };
  const drag = (event: PointerEvent) => {
    if (!onMove || event.button !== 0) return;
    let to: number | null = null;
    dragDays(event, {
      dayPx,
      onMove: (days) => {
        to = day + days;
        setMoved(to);
      },
      onEnd: (isKept) => keep(isKept ? to : null),
    });
  };
  const show = () => mark.current && tip.current && showBelow(mark.current, tip.current);
  const hide = () => tip.current?.matches(":popover-open") && tip.current.hidePopover();
  return (
    <>
      <button
        ref={mark}
        type="button"
        className={`${styles.mark} ${styles[kind]}`}
        style={{ left: xOfDay(shown) }}
        aria-label={nameOf(shown)}
        aria-description={onMove ? t.moveHint : undefined}
        data-hint={children ? undefined : nameOf(shown)}
        data-moved={moved === null ? undefined : ""}
        onKeyDown={press}
        onPointerDown={drag}
        onPointerEnter={show}
        onPointerLeave={() => document.activeElement !== mark.current && hide()}
        onFocus={show}
        onBlur={() => {
          hide();
          keep(moved);
        }}
      >
        <span aria-hidden="true" />
        {moved !== null && <small className={styles.movedTo}>{nameOf(moved)}</small>}
      </button>
      {children && (
        <div ref={tip} popover="manual" className={styles.tip}>
          {children}
        </div>
      )}
    </>
  );
}
