const GAP = 4;

/**
 * Shows a popover below `trigger`, or above it where there is more room, within the window, whose size may change while it
 * shows. Where `trigger` then shows no more, the popover closes. Says on `trigger` whether it is open.
 */
export function showBelow(trigger: HTMLElement, popover: HTMLElement): void {
  const place = () => {
    const { top, bottom, right, width } = trigger.getBoundingClientRect();
    if (width === 0) return popover.hidePopover();
    const left = Math.min(right, innerWidth - GAP) - popover.offsetWidth;
    popover.style.left = `${Math.max(GAP, left)}px`;
    const isBelow = bottom + GAP + popover.offsetHeight <= innerHeight;
    popover.style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - popover.offsetHeight)}px`;
  };
  const closed = new AbortController();
  popover.addEventListener(
    "toggle",
    ({ newState }) => {
      if (newState !== "closed") return;
      trigger.ariaExpanded = "false";
      closed.abort();
    },
    { signal: closed.signal },
  );
  addEventListener("resize", place, { signal: closed.signal });
  popover.showPopover();
  trigger.ariaExpanded = "true";
  place();
}
