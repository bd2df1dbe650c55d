import type { ComponentProps } from "react";
import styles from "./code-field.module.css";

/** A text of a program, to the letter, to read or to write: a field, so that the keyboard can scroll and select it. */
export const CodeField = ({ className = "", ...textarea }: ComponentProps<"textarea">) => (
  <textarea className={`${styles.code} ${className}`} spellCheck={false} {...textarea} />
);
