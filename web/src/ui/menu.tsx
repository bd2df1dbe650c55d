import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { IconCheck } from "./icons.tsx";
import { showBelow } from "./lists/show-below.ts";
import styles from "./menu.module.css";
import tool from "./tool-button.module.css";

interface MenuProps {
  /** Name of the button, if its content does not say it. */
  readonly label?: string;
  readonly className?: string;
  /** Whether its button looks like one of its own. */
  readonly isBoxed?: boolean;
  /** Content of the button. */
  readonly button: ReactNode;
  readonly children: ReactNode;
}

/**
 * A menu as in the ARIA Authoring Practices: arrows, Home and End move, Escape and a click elsewhere close (by the
 * browser's own popover).
 */
export function Menu({ label, className, isBoxed, button, children }: MenuProps) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
  const open = (first = true) => {
    if (!trigger.current || !menu.current) return;
    showBelow(trigger.current, menu.current);
    items()
      .at(first ? 0 : -1)
      ?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab" || event.key === "Escape") {
      trigger.current?.focus();
      menu.current?.hidePopover();
    }
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={`${tool.button} ${styles.trigger} ${isBoxed ? tool.boxed : ""} ${className ?? ""}`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={false}
        aria-controls={id}
        onClick={() => open()}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          open(event.key === "ArrowDown");
        }}
      >
        {button}
      </button>
      <div ref={menu} id={id} popover="auto" role="menu" aria-label={label} className={styles.menu} onKeyDown={move}>
        {children}
      </div>
    </>
  );
}

interface ItemProps {
  readonly icon?: ReactNode;
  readonly onChoose: () => void;
  /** For an item that is one of several, of which one holds; choosing it leaves the menu open. */
  readonly checked?: boolean;
  readonly children: ReactNode;
}

export const MenuItem = ({ icon, onChoose, checked, children }: ItemProps) => (
  <button
    type="button"
    {...(checked === undefined ? { role: "menuitem" } : { role: "menuitemradio", "aria-checked": checked })}
    tabIndex={-1}
    className={styles.item}
    onClick={(event) => {
      if (checked === undefined) event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
      onChoose();
    }}
  >
    {icon}
    <span>{children}</span>
    {checked && <IconCheck />}
  </button>
);

/** Items that belong together, under their name. */
export const MenuGroup = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <fieldset className={styles.group} aria-label={label}>
    <span className={styles.label} aria-hidden="true">
      {label}
    </span>
    {children}
  </fieldset>
);
