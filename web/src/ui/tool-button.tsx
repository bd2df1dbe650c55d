import type { ReactNode } from "react";
import styles from "./tool-button.module.css";

interface ToolButtonProps {
  readonly label: string;
  /** Its keys, for the tooltip. */
  readonly keys: string;
  readonly icon: ReactNode;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}

/** A button with an icon; its name and keys show on hover. */
export const ToolButton = ({ label, keys, icon, disabled = false, onPress }: ToolButtonProps) => (
  <button
    type="button"
    className={styles.button}
    aria-label={label}
    title={`${label} (${keys})`}
    disabled={disabled}
    onClick={onPress}
  >
    {icon}
  </button>
);
