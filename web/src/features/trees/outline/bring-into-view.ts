import { ROW_HEIGHT } from "./row-height.ts";

/** What lies over the end of the window: notices, a sheet, a bar with the verdict. */
const OVER = "[data-over]";

/**
 * Scrolls until nothing lies over the line of a grid that is at `top`, in pixels from the top of the window: not the heads and
 * bars that stay in sight, nor what floats above the window's end. Returns whether it had to.
 */
export function bringIntoView(grid: HTMLTableElement, top: number): boolean {
  const from = Math.max(0, grid.tHead?.getBoundingClientRect().bottom ?? 0);
  const floating = [...document.querySelectorAll(OVER)].filter((one) => getComputedStyle(one).position !== "static");
  const to = Math.min(innerHeight, ...floating.map((one) => one.getBoundingClientRect().top));
  const space = Math.max(0, Math.min(2 * ROW_HEIGHT, (to - from - ROW_HEIGHT) / 2));
  const bottom = top + ROW_HEIGHT;
  const by = top < from ? top - from - space : bottom > to ? bottom - to + space : 0;
  if (by !== 0) scrollBy(0, by);
  return by !== 0;
}
