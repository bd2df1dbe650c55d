import styles from "./tooltip.module.css";

/** How long the pointer or the focus rests before a hint shows, in milliseconds. */
const SHOW_MS = 400;
/** How long it still shows once the pointer has left, so that the pointer can move onto it. */
const HIDE_MS = 200;
/** How long a finger rests on a control to see its hint. */
const PRESS_MS = 500;
/** Between a hint and what it is about, and to the edge of the window, in pixels. */
const GAP = 4;

/** `data-hint` holds a hint; `data-cut` stands on a text that is cut off where it is too long: its hint is all of it. */
const HINTED = "[data-hint], [data-cut]";
/** What a tap does something with: its hint shows when the finger rests on it. */
const CONTROLS = "a, button, input, select, textarea, label, summary, [role=gridcell], [data-row]";
/** A row whose controls have the focus; the menu in it covers the row. */
const ROW = "tbody tr:not([data-row]), [popover]";
/** What takes a long press for itself: its own menu, with which to paste or to open a link. */
const OWN_MENU = "a, input, textarea, select";

/** Returns the text of an element where it is cut off. */
function wholeOf(element: HTMLElement): string {
  if (element.dataset.cut === undefined) return "";
  const text = document.createRange();
  text.selectNodeContents(element);
  const isCut = text.getBoundingClientRect().width > element.getBoundingClientRect().width + 0.5;
  return isCut ? element.innerText.trim() : "";
}

const hintOf = (element: HTMLElement): string =>
  [wholeOf(element), element.dataset.hint].filter((text) => text).join("\n");

/** Returns `element`, or what is around it, by whichever has a hint. */
function hintedAt(element: Element | null): HTMLElement | null {
  const at = element?.closest<HTMLElement>(HINTED) ?? null;
  return at === null || hintOf(at) !== "" ? at : hintedAt(at.parentElement);
}

/**
 * Returns what has a hint in a control, or is cut off in a line: the toolbar has the hints of its parts. The page itself can have
 * the focus, too: after "Skip to the content".
 */
const partsOf = (on: HTMLElement): HTMLElement[] =>
  on.matches(CONTROLS)
    ? [...on.querySelectorAll<HTMLElement>(on.role === "gridcell" ? "[data-cut]" : HINTED)].filter(hintOf)
    : [];

/** Returns the hints of the texts in the row of a table that `on` belongs to, each after its text. */
const besides = (on: HTMLElement): string[] =>
  [...(on.closest(ROW)?.querySelectorAll<HTMLElement>("[data-hint]") ?? [])]
    .filter((text) => text !== on && text.closest(CONTROLS) === null)
    .map((text) => `${text.innerText.trim()}: ${hintOf(text)}`);

/**
 * Shows hints, each where the pointer rests, where the keyboard puts the focus, and where a finger taps a text or rests on a
 * control. One element serves the whole application. It stays as long as the pointer is on it, and Escape closes it.
 */
export function startTooltip(): void {
  const bubble = document.createElement("div");
  bubble.className = styles.bubble ?? "";
  bubble.role = "tooltip";
  bubble.popover = "manual";
  let shown: HTMLElement | null = null;
  /** What has the focus, while its hint shows: it does not close by moving the pointer. */
  let focused: HTMLElement | null = null;
  /** What a finger has rested on to read its hint, until it presses something. */
  let held: HTMLElement | null = null;
  let timer = 0;
  let focusTimer = 0;
  let isByPointer = false;
  /** Whether the mouse was last seen on the bubble, which lets it through: a press is for what lies below. */
  let isOnBubble = false;

  const later = (ms: number, action: () => void) => {
    clearTimeout(timer);
    timer = window.setTimeout(action, ms);
  };
  const laterFocused = (target: HTMLElement) => {
    clearTimeout(focusTimer);
    focusTimer = window.setTimeout(() => showFocused(target), SHOW_MS);
  };
  const close = () => {
    clearTimeout(timer);
    if (!shown) return;
    shown = focused = null;
    if (bubble.isConnected) bubble.hidePopover();
  };
  const hide = () => {
    clearTimeout(focusTimer);
    close();
  };
  /** The pointer is elsewhere: what the keyboard shows stays. */
  const leave = () => {
    clearTimeout(timer);
    if (!focused) close();
  };
  const place = () => {
    if (!shown) return;
    const { top, bottom, left } = shown.getBoundingClientRect();
    if (!shown.isConnected || bottom < 0 || top > innerHeight) return close();
    const { offsetWidth: width, offsetHeight: height } = bubble;
    const isBelow = bottom + GAP + height <= innerHeight;
    bubble.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    bubble.style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - height)}px`;
  };
  const show = (at: HTMLElement, text: string, by: HTMLElement | null = null) => {
    close();
    if (!at.isConnected) return;
    shown = at;
    focused = by;
    bubble.textContent = text;
    // What lies outside of a modal dialog cannot be reached while it is open.
    (at.closest("dialog, main, header") ?? document.body).append(bubble);
    bubble.showPopover();
    place();
  };
  const showAt = (element: Element | null) => {
    const at = hintedAt(element);
    if (at === null) close();
    else if (at !== shown) show(at, hintOf(at));
  };
  const showFocused = (on: HTMLElement) => {
    if (document.activeElement !== on) return;
    const parts = partsOf(on);
    const text = [...parts.map(hintOf), hintOf(on), ...besides(on)].filter((part) => part).join("\n");
    if (text !== "") show(on.dataset.hint === undefined ? (parts[0] ?? on) : on, text, on);
  };

  const listen = <Name extends keyof DocumentEventMap>(name: Name, take: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, take, { capture: true, passive: name === "scroll" });
  const isAtBubble = ({ clientX: x, clientY: y }: PointerEvent): boolean => {
    const { left, right, top, bottom } = bubble.getBoundingClientRect();
    return shown !== null && x >= left && x <= right && y >= top && y <= bottom;
  };
  const followMouse = (event: PointerEvent) => {
    const { target, pointerType } = event;
    if (pointerType === "touch" || !(target instanceof Element)) return;
    isOnBubble = isAtBubble(event);
    // Whether a text is cut off is measured only where the pointer rests.
    const over = target.closest(HINTED);
    if (isOnBubble || (over !== null && over === shown)) clearTimeout(timer);
    else if (over !== null) later(SHOW_MS, () => showAt(over));
    else later(HIDE_MS, leave);
  };
  listen("pointerover", followMouse);
  listen("pointermove", (event) => {
    if (shown && isAtBubble(event) !== isOnBubble) followMouse(event);
  });
  document.documentElement.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType !== "touch") leave();
  });
  listen("pointerdown", ({ target, pointerType }) => {
    isByPointer = true;
    held = null;
    if (bubble.contains(target as Node)) return;
    hide();
    if (pointerType !== "touch") return;
    later(PRESS_MS, () => {
      showAt(target as Element);
      held = shown;
    });
  });
  listen("pointerup", ({ target, pointerType }) => {
    if (pointerType !== "touch" || held || bubble.contains(target as Node)) return;
    clearTimeout(timer);
    if (!(target as Element).closest(CONTROLS)) showAt(target as Element);
  });
  listen("pointercancel", () => clearTimeout(timer));
  // A finger that rested on a control wanted to read, not to press.
  for (const name of ["click", "contextmenu"] as const)
    listen(name, (event) => {
      const target = event.target as Element;
      if (!held?.contains(target) || target.closest(OWN_MENU) !== null) return;
      event.preventDefault();
      if (name === "contextmenu") return;
      event.stopPropagation();
      held = null;
    });
  listen("focusin", ({ target }) => {
    if (!isByPointer && target instanceof HTMLElement) laterFocused(target);
  });
  // Another choice has another hint.
  listen("input", ({ target }) => {
    if (target !== shown) return;
    hide();
    laterFocused(target as HTMLElement);
  });
  listen("focusout", ({ target }) => {
    if (target === focused) hide();
  });
  listen("keydown", (event) => {
    isByPointer = false;
    held = null;
    if (shown && event.key === "Escape" && shown.closest("dialog")) event.preventDefault();
    if (event.key.length === 1 || event.key === "Enter" || event.key === "Escape") hide();
  });
  listen("scroll", place);
}
