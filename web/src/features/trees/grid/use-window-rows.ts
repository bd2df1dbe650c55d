import { type RefObject, useEffect, useState } from "react";

/** Rows kept above and below what shows, so that scrolling a little shows no gap. */
const MARGIN = 6;

/** The range moves by so many rows at once, so that most scrolling renders nothing. */
const STEP = 8;

/** Returns the first and the last row, exclusive, that are near the window: only they are rendered. */
export function useWindowRows(
  grid: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): readonly [first: number, last: number] {
  const [range, setRange] = useState(() => rangeAt(0, rowHeight));
  useEffect(() => {
    const measure = () => {
      const now = rangeAt(grid.current?.getBoundingClientRect().top ?? 0, rowHeight);
      setRange((before) => (before[0] === now[0] && before[1] === now[1] ? before : now));
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [grid, rowHeight]);
  return [Math.min(range[0], count), Math.min(range[1], count)];
}

/** Returns the rows to render where the grid begins at `top`, in pixels from the top of the window. */
function rangeAt(top: number, rowHeight: number): readonly [number, number] {
  const first = Math.floor(-top / rowHeight / STEP) * STEP - MARGIN;
  const last = Math.ceil((innerHeight - top) / rowHeight / STEP) * STEP + MARGIN;
  return [Math.max(0, first), Math.max(0, last)];
}
