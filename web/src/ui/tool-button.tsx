import type { ReactNode } from "react";
import { described } from "./hinted.ts";
import styles from "./tool-button.module.css";
import { unableIf } from "./unable.ts";

interface ToolButtonProps {
  /** Its name. */
  readonly label: string;
  /** Its keys, which its hint says. */
  readonly keys?: string;
  /** An icon, or an icon and the name. */
  readonly children: ReactNode;
  /** Whether its children say its name, so that no hint has to. */
  readonly isNamed?: boolean;
  /** What it looks like: an icon among others, an icon beside words, a button of its own. */
  readonly look?: "small" | "boxed";
  readonly className?: string | undefined;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}

/** A button with an icon, or of a toolbar. Disabled, it keeps the focus. */
export const ToolButton = ({ label, keys, isNamed, look, className, ...button }: ToolButtonProps) => (
  <button
    type="button"
    className={`${styles.button} ${look ? styles[look] : ""} ${className ?? ""}`}
    aria-label={isNamed ? undefined : label}
    {...described(keys)}
    {...(isNamed ? {} : { "data-hint": keys ? `${label} (${keys})` : label })}
    {...unableIf(button.disabled ?? false, button.onPress)}
  >
    {button.children}
  </button>
);
