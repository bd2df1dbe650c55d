import type { ReactNode } from "react";
import { useTitle } from "../../ui/use-title.ts";
import styles from "./page.module.css";

interface PageHeadProps {
  readonly title: string;
  /** What the page is for. */
  readonly intro?: string;
  /** What leads back. */
  readonly crumb?: ReactNode;
  /** What stands beside the title, such as the page's action. */
  readonly children?: ReactNode;
}

export function PageHead({ title, intro, crumb, children }: PageHeadProps) {
  useTitle(title);
  return (
    <>
      {crumb && <p className={styles.crumb}>{crumb}</p>}
      <div className={styles.head}>
        <h1>{title}</h1>
        {children}
      </div>
      {intro && <p className={styles.intro}>{intro}</p>}
    </>
  );
}
