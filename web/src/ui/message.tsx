import type { ReactNode } from "react";
import styles from "./message.module.css";

interface MessageProps {
  readonly title: string;
  readonly text?: string;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** A page, or a part of one, that has nothing else to show: empty, unknown, failed. */
export const Message = ({ title, text, children }: MessageProps) => (
  <section className={styles.message}>
    <h1>{title}</h1>
    {text && <p className="muted">{text}</p>}
    {children && <div className={styles.action}>{children}</div>}
  </section>
);
