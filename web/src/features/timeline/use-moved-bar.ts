import { type PointerEvent, useRef, useState } from "react";
import { formatDay } from "../../ui/numbers/format.ts";
import { dragDays } from "./drag-days.ts";
import type { Layout } from "./layout.ts";
import type { MovedBar, Row } from "./rows.ts";
import { dateOfDay } from "./scale.ts";

interface Given {
  readonly layout: Layout;
  readonly movable: ReadonlySet<string>;
  /** Called once a bar is moved; it calls `onSettled` when the schedule is as the service has it. */
  readonly onMoveBar: (id: string, days: number, onSettled: () => void) => void;
}

/** The bar that is being moved. Until it is kept it is only shown at the new place: so a move is one step. */
export function useMovedBar({ layout, movable, onMoveBar }: Given) {
  const [moved, setMoved] = useState<MovedBar | null>(null);
  // What is kept is told to the service once, whatever ends the move.
  const last = useRef<MovedBar | null>(null);
  const show = (next: MovedBar | null) => {
    last.current = next;
    setMoved(next);
  };
  const giveUp = () => show(null);
  const keep = () => {
    const now = last.current;
    if (!now || now.isKept) return;
    if (now.days === 0) return giveUp();
    const kept = { ...now, isKept: true };
    show(kept);
    onMoveBar(now.id, now.days, () => last.current === kept && giveUp());
  };
  const dayOf = (id: string): number | null => {
    const left = layout.bars.get(id)?.left;
    return left === undefined ? null : Math.floor(layout.first + left / layout.dayPx);
  };
  /** Shows a bar some days from where it is, on a working day: in the direction `by` where nobody works on that one. */
  const place = (id: string, days: number, by: number): void => {
    const day = dayOf(id);
    if (day === null) return;
    const target = days === 0 ? day : layout.workdayAt(day + days, by < 0 ? -1 : 1);
    show({ id, days: target - day, isKept: false });
  };
  /** Moves the bar of a line further, if it can be. */
  const step = ({ id }: Row, days: number): void => {
    if (!movable.has(id)) return;
    const before = last.current?.id === id && !last.current.isKept ? last.current.days : 0;
    place(id, before + days, days);
  };
  const drag = ({ id }: Row, event: PointerEvent<Element>): void => {
    // A finger scrolls.
    if (event.button !== 0 || event.pointerType === "touch" || !movable.has(id)) return;
    dragDays(event, {
      dayPx: layout.dayPx,
      onMove: (days) => place(id, days, days),
      onEnd: (isKept) => (isKept ? keep() : giveUp()),
    });
  };
  const begin = moved ? dayOf(moved.id) : null;
  return {
    moved,
    isOpen: moved !== null && !moved.isKept,
    day: moved && begin !== null ? formatDay(dateOfDay(begin + moved.days)) : null,
    step,
    drag,
    keep,
    giveUp,
  };
}
