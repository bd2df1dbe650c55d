import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

interface ToolbarProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

const TOOLS = ":is(button, select, [type=checkbox]):not([popover] *)";

/** Returns the tools, without the items of their menus. */
const allOf = (bar: HTMLElement) => [...bar.querySelectorAll<HTMLElement>(TOOLS)];

/** Returns those that show. */
const toolsOf = (bar: HTMLElement) => allOf(bar).filter((tool) => tool.checkVisibility());

/** Lets Tab lead to one tool only: `tool`, or the first. */
function stopAt(bar: HTMLElement, tool: Element | null): void {
  const tools = toolsOf(bar);
  const stop = tools.find((one) => one === tool) ?? tools[0];
  for (const one of tools) one.tabIndex = one === stop ? 0 : -1;
}

/** A toolbar as in the ARIA Authoring Practices: one stop for Tab; arrows, Home and End move between the tools. */
export function Toolbar({ label, className, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const last = useRef<Element | null>(null);
  const seen = useRef<readonly unknown[]>([]);
  // Which of them show depends on the width. Told after the layout: asking would lay the page out for each key that is pressed on it.
  const [observer] = useState(() => new ResizeObserver(() => bar.current && stopAt(bar.current, last.current)));
  useLayoutEffect(() => {
    if (!bar.current) return;
    const now = allOf(bar.current);
    if (now.length === seen.current.length && now.every((tool, at) => tool === seen.current[at])) return;
    seen.current = now;
    observer.disconnect();
    for (const tool of now) observer.observe(tool);
  });
  useEffect(() => () => observer.disconnect(), [observer]);
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const tools = toolsOf(event.currentTarget);
    const at = tools.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    tools.at(to % tools.length)?.focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      className={className}
      onKeyDown={move}
      onFocus={({ currentTarget, target }) => {
        last.current = target;
        stopAt(currentTarget, target);
      }}
    >
      {children}
    </div>
  );
}
