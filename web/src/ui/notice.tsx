import type { ReactNode } from "react";
import styles from "./notice.module.css";

interface NoticeProps {
  readonly kind: "bad" | "warn" | "info" | "good";
  readonly children: ReactNode;
  /** What to do about it, at the end of the line. */
  readonly action?: ReactNode;
}

/** What can be done about a notice. */
export const NoticeButton = (button: { readonly children: ReactNode; readonly onClick: () => void }) => (
  <button type="button" className={styles.action} {...button} />
);

/** Says something in place. What failed is announced to screen readers. */
export const Notice = ({ kind, children, action }: NoticeProps) => (
  <div className={`${styles.notice} ${styles[kind]}`} role={kind === "bad" ? "alert" : "status"}>
    <span>{children}</span>
    {action}
  </div>
);
