import type { Node, Option } from "../../../../domain/tree/shape.ts";
import styles from "./option-mark.module.css";

/** Returns the classes of the dot or box that shows whether `option` counts: of a group all do. `isActive` is false below what is not chosen. */
export const optionMark = ({ kind }: Node, option: Option, isActive: boolean): string =>
  `${styles.mark} ${styles[kind]} ${option.selected || kind === "group" ? styles.chosen : ""} ${isActive ? "" : styles.weak}`;
