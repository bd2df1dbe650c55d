import type { ComponentProps } from "react";
import styles from "./text-button.module.css";
import { unableIf } from "./unable.ts";

/** A button among words, or below them, that looks like a link. Disabled, it keeps the focus. */
export const TextButton = ({ className = "", disabled = false, onClick, ...button }: ComponentProps<"button">) => (
  <button type="button" className={`${styles.button} ${className}`} {...button} {...unableIf(disabled, onClick)} />
);
