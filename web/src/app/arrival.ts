import type { AnyRouter } from "@tanstack/react-router";

/** What holds the focus on its own account: a field or a line that the page has put it into. */
const FIELDS = "input, textarea, select, [role=gridcell], [role=row]";
/** What the reader has opened meanwhile, which would close without the focus. */
const OPEN = "dialog[open], [popover=auto]:popover-open";

/**
 * Tells people who do not see it that a link led to another page: the focus goes to its heading once that is there, unless
 * the page puts it into a field, and a live region says the page's title. Ends when the reader does something.
 */
export function followPages(router: AnyRouter): void {
  const region = document.createElement("div");
  region.className = "unseen";
  region.role = "status";
  document.body.append(region);
  let isFirst = true;
  let end = () => {};
  router.subscribe("onRendered", ({ pathChanged }) => {
    // The browser itself says the title of the first page.
    const isLed = !isFirst;
    isFirst = false;
    if (!pathChanged || !isLed) return;
    end();
    region.textContent = "";
    end = arrive(region);
  });
}

function arrive(region: HTMLElement): () => void {
  const ended = new AbortController();
  let heading: HTMLElement | null = null;
  const say = () => {
    if (!ended.signal.aborted && region.textContent !== document.title) region.textContent = document.title;
  };
  const look = () => {
    if (heading?.isConnected) return say();
    heading = document.querySelector<HTMLElement>("main h1");
    if (heading === null) return;
    // The page names itself after it is painted.
    requestAnimationFrame(() => setTimeout(say));
    const { activeElement } = document;
    if (activeElement?.matches(FIELDS) || document.querySelector(OPEN)) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const watch = new MutationObserver(look);
  watch.observe(document.documentElement, { childList: true, characterData: true, subtree: true });
  ended.signal.addEventListener("abort", () => watch.disconnect());
  for (const name of ["keydown", "pointerdown"] as const)
    addEventListener(name, () => ended.abort(), { capture: true, signal: ended.signal });
  look();
  return () => ended.abort();
}
