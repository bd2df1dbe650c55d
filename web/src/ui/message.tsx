import type { ReactNode } from "react";
import styles from "./message.module.css";

interface MessageProps {
  readonly title: string;
  readonly text?: string;
  /** Of its title: 2 for a part of a page that has a title already. */
  readonly level?: 1 | 2;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** A page, or a part of one, that has nothing else to show: empty, unknown, failed. */
export const Message = ({ title, text, level = 1, children }: MessageProps) => (
  <section className={styles.message}>
    {level === 1 ? <h1>{title}</h1> : <h2>{title}</h2>}
    {text && <p className="muted">{text}</p>}
    {children && <div className={styles.action}>{children}</div>}
  </section>
);
