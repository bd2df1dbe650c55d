import type { ReactNode, Ref } from "react";
import styles from "./menu.module.css";

interface PopPanelProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly id: string;
  readonly label: string;
  readonly className?: string | undefined;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** What opens below a button and is no menu: it closes by Escape, by a press elsewhere, and once the focus is elsewhere. */
export const PopPanel = ({ ref, id, label, className = "", onToggle, children }: PopPanelProps) => (
  <div
    ref={ref}
    id={id}
    popover="auto"
    role="dialog"
    tabIndex={-1}
    aria-label={label}
    className={`${styles.menu} ${className}`}
    onToggle={(event) => onToggle?.(event.newState === "open")}
    onBlur={({ currentTarget, relatedTarget }) => {
      if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
    }}
  >
    {children}
  </div>
);
