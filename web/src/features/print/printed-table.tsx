import type { ReactNode } from "react";
import { treeTexts } from "../trees/texts.ts";
import styles from "./print.module.css";

interface PrintedTableProps {
  readonly title: string;
  /** The headings, first of texts and then of numbers; null for one of ranges, which are drawn. */
  readonly columns: readonly string[];
  readonly figures: readonly (string | null)[];
  /** The rows. */
  readonly children: ReactNode;
}

/** A table with its heading; its own headings stand on every page. On phones it is scrolled sideways, by arrow keys as well. */
export const PrintedTable = ({ title, columns, figures, children }: PrintedTableProps) => (
  <div>
    <h2>{title}</h2>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
    <section className={styles.scroll} aria-label={title} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {figures.map((column) => (
              <th key={column} scope="col" className={column === null ? styles.range : "number"}>
                {column ?? treeTexts.estimation.range}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  </div>
);
