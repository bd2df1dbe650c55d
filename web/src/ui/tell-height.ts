/**
 * For the `ref` of a bar that stays in sight below the page's header: says its height, which depends on the window, to what
 * has to stay below it (`--bar-height`).
 */
export function tellHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const { style } = document.documentElement;
  const watch = new ResizeObserver(() => style.setProperty("--bar-height", `${bar.offsetHeight}px`));
  watch.observe(bar);
  return () => {
    watch.disconnect();
    style.removeProperty("--bar-height");
  };
}
