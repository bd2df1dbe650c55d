import { uiTexts } from "../texts.ts";
import styles from "./skeleton-rows.module.css";

/** The shape of a list that is being loaded; it shows only if that takes a moment. */
export const SkeletonRows = ({ rows }: { readonly rows: number }) => (
  <div className={styles.rows} role="status">
    <span className="unseen">{uiTexts.loading}</span>
    {Array.from({ length: rows })
      .map((_, index) => `row ${index}`)
      .map((key) => (
        <div key={key} className={styles.row} />
      ))}
  </div>
);
