import styles from "./delta.module.css";
import { formatHours } from "./format.ts";

/** Smaller changes are none, in hours: they come of rounding. */
const MARGIN = 0.005;

/** A change of hours, with a sign, an arrow and a colour; nothing for none. */
export const Delta = ({ hours }: { readonly hours: number }) =>
  Math.abs(hours) < MARGIN ? null : (
    <span className={hours > 0 ? styles.more : styles.less}>
      <span aria-hidden="true">{hours > 0 ? "▲ " : "▼ "}</span>
      {hours > 0 ? "+" : "−"}
      {formatHours(Math.abs(hours))}
    </span>
  );
