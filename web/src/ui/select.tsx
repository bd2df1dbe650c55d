import type { ComponentProps } from "react";
import styles from "./input.module.css";

/** The browser's own select: another would be the largest part of most pages. */
export const Select = ({ className = "", ...select }: ComponentProps<"select">) => (
  <select className={`${styles.input} ${className}`} {...select} />
);
