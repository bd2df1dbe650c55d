import type { ComponentProps, ReactNode } from "react";
import styles from "./checkbox.module.css";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  readonly label: string;
  readonly description?: ReactNode;
}

/** A box with its label, in a form. */
export const Checkbox = ({ label, description, ...input }: CheckboxProps) => (
  <label className={styles.line}>
    <input type="checkbox" {...input} />
    <span>
      {label}
      {description && <small className={styles.description}>{description}</small>}
    </span>
  </label>
);
