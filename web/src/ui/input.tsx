import type { ComponentProps } from "react";
import styles from "./input.module.css";

/** A field of one line, for where Mantine's, with their labels and faults, are too much: rows, panels, bars. */
export const Input = ({ className = "", ...input }: ComponentProps<"input">) => (
  <input className={`${styles.input} ${className}`} {...input} />
);

/** A field of several lines, which grows with its text. */
export const LongInput = ({ className = "", ...input }: ComponentProps<"textarea">) => (
  <textarea className={`${styles.input} ${styles.long} ${className}`} {...input} />
);
