import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Rows kept above and below what shows, so that scrolling a little shows no gap. */
const MARGIN = 6;

/** The range moves by so many rows at once, so that most scrolling renders nothing. */
const STEP = 8;

/**
 * Returns the first and the last row, exclusive, that are near the window: only they are rendered. Whoever scrolls calls
 * `measure` right away, so that both render at once; else it is done with the next frame.
 */
export function useWindowRows(
  grid: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): readonly [first: number, last: number, measure: () => void] {
  const [range, setRange] = useState(() => rangeAt(0, rowHeight));
  const latest = useRef(range);
  const measure = useCallback(() => {
    const before = latest.current;
    const now = rangeAt(grid.current?.getBoundingClientRect().top ?? 0, rowHeight);
    // React would render the grid to find that out.
    if (before[0] === now[0] && before[1] === now[1]) return;
    latest.current = now;
    setRange(now);
  }, [grid, rowHeight]);
  useEffect(() => {
    measure();
    // Also where the grid is in something that scrolls by itself.
    const scrolling = { passive: true, capture: true };
    addEventListener("scroll", measure, scrolling);
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure, scrolling);
      removeEventListener("resize", measure);
    };
  }, [measure]);
  return [Math.min(range[0], count), Math.min(range[1], count), measure];
}

/** Returns the rows to render where the grid begins at `top`, in pixels from the top of the window. */
function rangeAt(top: number, rowHeight: number): readonly [number, number] {
  const first = Math.floor(-top / rowHeight / STEP) * STEP - MARGIN;
  const last = Math.ceil((innerHeight - top) / rowHeight / STEP) * STEP + MARGIN;
  return [Math.max(0, first), Math.max(0, last)];
}
