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
  const [range, setRange] = useState<readonly [number, number]>([0, 60]);
  useEffect(() => {
    const measure = () => {
      const top = grid.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, (Math.floor(-top / rowHeight / STEP) - 1) * STEP - MARGIN);
      const last = (Math.ceil((innerHeight - top) / rowHeight / STEP) + 1) * STEP + MARGIN;
      setRange((before) => (before[0] === first && before[1] === last ? before : [first, last]));
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
