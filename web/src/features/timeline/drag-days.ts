import type { PointerEvent } from "react";

interface DragDays {
  /** How wide a day is, in pixels. */
  readonly dayPx: number;
  /** Called with the whole days that the pointer has gone since it was pressed. */
  readonly onMove: (days: number) => void;
  /** Called once, when the pointer is up, or the move is given up by Escape or by the browser. */
  readonly onEnd: (isKept: boolean) => void;
}

/** Follows a pointer that was pressed on something that is moved by days, until it is released. */
export function dragDays(
  { pointerId, clientX }: Pick<PointerEvent, "pointerId" | "clientX">,
  { dayPx, onMove, onEnd }: DragDays,
): void {
  const done = new AbortController();
  const { signal } = done;
  const end = (isKept: boolean) => {
    done.abort();
    onEnd(isKept);
  };
  addEventListener(
    "pointermove",
    (event) => event.pointerId === pointerId && onMove(Math.round((event.clientX - clientX) / dayPx)),
    { signal },
  );
  addEventListener("pointerup", (event) => event.pointerId === pointerId && end(true), { signal });
  addEventListener("pointercancel", (event) => event.pointerId === pointerId && end(false), { signal });
  addEventListener("keydown", (event) => event.key === "Escape" && end(false), { signal });
}
