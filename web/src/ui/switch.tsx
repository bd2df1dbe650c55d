import type { ComponentProps } from "react";
import styles from "./switch.module.css";

/** A setting that holds as soon as it is pressed. */
export const Switch = ({ checked = false, ...input }: Omit<ComponentProps<"input">, "type">) => (
  <input type="checkbox" role="switch" className={styles.switch} checked={checked} aria-checked={checked} {...input} />
);
